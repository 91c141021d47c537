import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Step } from '../../../src/testing/scenario.ts';
import { fermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { planRepository } from './support/plan-repository.ts';

const LONG = 240_000;
const SCRIPTED = join(import.meta.dirname, '../../../bin/scripted-agent.cjs');

/** A plan with one phase whose agent never calls a reviewer, whose gate leaves a report, and a "claude" on the PATH that gives these reviews. */
function unreviewed(...reviews: (string | Step)[]) {
  const written = [{ do: 'write', path: 'part.txt', content: 'part\n' } as const];
  const place = planRepository([{ id: '1', gate: 'test -f part.txt && date > report.xml', steps: written }]);
  const bin = join(place.cwd, '..', 'bin');
  mkdirSync(bin);
  const steps = reviews.map((each) => (typeof each === 'string' ? { do: 'say', text: each } : each));
  const scenario = { invocations: steps.map((step) => ({ steps: [step] })) };
  writeFileSync(join(bin, 'review.json'), JSON.stringify(scenario));
  const claude = `#!/bin/sh
[ -z "$FERMATA_TASK_DIR" ] || cp "$FERMATA_TASK_DIR/config.json" '${bin}/'
exec '${process.execPath}' '${SCRIPTED}' --scenario '${bin}/review.json' "$@"
`;
  writeFileSync(join(bin, 'claude'), claude);
  chmodSync(join(bin, 'claude'), 0o755);
  const PATH = [bin, process.env.PATH].join(delimiter);
  const at = { ...place.at, env: { ...place.at.env, FERMATA_NO_REVIEW: undefined, PATH } };
  const run = (...args: string[]) =>
    fermata(['run', 'plans/shop', '--agent', 'scripted', '--json', ...args], at);
  return { place, at, bin, run };
}

describe('CLI-run and reviews (SEED-7)', { timeout: LONG }, () => {
  test('the run has the available agent review the work, sends its agent back, and merges what passed', async () => {
    const changes = '{"verdict":"changes","suggested_changes":["part.txt:1: say which part"]}';
    const { place, at, bin, run } = unreviewed(changes, '{"verdict":"passed"}');
    const { code, stdout, stderr } = await run();
    expect(code, stderr).toBe(0);
    expect(stderr, 'named before the first agent starts').toMatch(
      /claude reviews what needs[\s\S]*1: scripted starts/,
    );
    expect(stderr).toContain('Reviewed by claude; scripted wrote the code. Verdict: changes.');
    expect(stderr).toContain("scripted starts again to make the reviewer's changes");
    expect(stderr).toContain('Verdict: passed.');
    const { skipped } = JSON.parse(stdout);
    expect(skipped.filter(({ step }: { step: string }) => step === 'review')).toEqual([]);
    const { data } = JSON.parse((await fermata(['plan', 'read-prompt', '1'], at)).stdout);
    expect(data.reviews).toMatchObject([
      { verdict: 'changes', head: 'Reviewed by claude; scripted wrote the code.' },
      { verdict: 'passed' },
    ]);
    const config = JSON.parse(readFileSync(join(bin, 'config.json'), 'utf8'));
    expect(config).toMatchObject({ taskId: 'shop/1', hilConfig: { scopeChanges: 'requires_approval' } });
    expect(place.git('log', '--format=%s', '-1')).toContain("Merge branch 'work--shop--implementation-1'");
  });

  test.for([
    ['AskUserQuestion', { do: 'ask', questions: ['Is the old API used?'] }],
    ['clarifying_questions', '{"clarifying_questions":["Is the old API used?"]}'],
  ] as const)(
    'a reviewer asks a person with %s; the answer makes the run continue (SEED-7, BIND-3)',
    async ([, asks]) => {
      const { place, at, run } = unreviewed(asks as string | Step, '{"verdict":"passed"}');
      const waiting = await run();
      expect(waiting.code, waiting.stderr).toBe(3);
      const [open, ...more] = await place.inbox();
      expect(more).toEqual([]);
      expect(open).toMatchObject({ source: 'eval', questions: [{ text: 'Is the old API used?' }] });
      expect((await fermata(['answer', open?.id ?? '', 'No'], at)).code).toBe(0);
      const last = await run('--resume');
      expect(last.code, last.stderr).toBe(0);
      expect(last.stderr).toContain('Verdict: passed.');
      expect(last.stderr).not.toContain('scripted starts');
      expect(await place.inbox()).toEqual([]);
    },
  );

  longTest('a report that the gate leaves behind is neither reviewed nor merged', async () => {
    const { place, run } = unreviewed('{"verdict":"passed"}');
    const { code, stderr } = await run();
    expect(code, stderr).toBe(0);
    expect(place.git('ls-tree', '--name-only', 'work')).not.toContain('report.xml');
  });

  longTest(
    'a reviewer that answers nonsense stops the phase with a clear sentence; the person may merge it without a review',
    async () => {
      const { place, at, run } = unreviewed('Looks fine to me!', '{"verdict":"fine"}', 'Yes.', 'No.');
      const { code, stdout } = await run();
      expect(code).toBe(1);
      const { phases } = JSON.parse(stdout);
      expect(phases[0].reason).toBe(
        'Failed: claude reviewed shop/1 twice without a readable verdict. Its verdict cannot be used: Invalid option: expected one of "passed"|"changes". Set another "reviewer" in fermata.config.json, or resume with --no-review to merge without a review. Unblock the phase first.',
      );
      expect(existsSync(join(place.cwd, 'part.txt'))).toBe(false);
      const merged = await fermata(['git', 'merge-worktree', '1'], at);
      expect(JSON.parse(merged.stdout).error).toMatchObject({
        type: 'not_reviewed',
        message: 'Phase 1 needs a review. Nobody has reviewed the work.',
        suggestion: 'Review it: fermata review 1. To merge it without one: fermata run --resume --no-review',
      });
      await fermata(['tasks', 'unblock', 'shop/1'], at);
      const again = await run('--resume', '--no-review');
      expect(again.code, again.stderr).toBe(0);
      expect(again.stderr).not.toContain('scripted starts');
      expect(JSON.parse(again.stdout).skipped).toContainEqual({
        step: 'review',
        phase: '1',
        task: 'shop/1',
        reason: 'Nobody has reviewed the work.',
      });
    },
  );
});
