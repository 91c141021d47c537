import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fermata } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { DONE, planRepository } from './support/plan-repository.ts';

const LONG = 240_000;
const writes = (path: string, content = 'x\n') => ({ do: 'write' as const, path, content });
const asks = (id: string, question: string) => ({ do: 'ask' as const, questions: [{ id, question }] });

describe('CLI-run', () => {
  test(
    'RUN-1 RUN-2 executes phases in order, in worktrees, and merges them; a second run has nothing to do',
    async () => {
      const place = planRepository([
        { id: '1', steps: [writes('a.txt', 'a\n')], gate: 'test -f a.txt' },
        {
          id: '2',
          dependsOn: ['1'],
          steps: [{ do: 'run', command: 'cp a.txt b.txt' }],
          gate: 'cmp a.txt b.txt',
        },
      ]);
      const first = await place.run('--json');
      expect(first.code, first.stderr).toBe(0);
      expect(JSON.parse(first.stdout)).toMatchObject({
        result: 'done',
        plan: 'shop',
        feature_branch: 'work',
        phases: [
          { id: '1', task: 'shop/1', status: 'closed' },
          { id: '2', task: 'shop/2', status: 'closed' },
        ],
        open: [],
      });
      expect(readFileSync(join(place.cwd, 'b.txt'), 'utf8')).toBe('a\n');
      expect(readFileSync(join(place.cwd, 'plans/shop/phase-2.md'), 'utf8')).toContain(
        '**Status:** Completed',
      );
      const head = place.git('rev-parse', 'work');
      expect((await place.run()).code).toBe(0);
      expect(place.git('rev-parse', 'work')).toBe(head);
      expect(await place.run('--resume')).toMatchObject({ code: 2 });
    },
    LONG,
  );

  test(
    'RUN-2 LED-6 ROLE-2 a question stops only its phase, with exit code 3; the answer resumes the same session',
    async () => {
      const place = planRepository([
        { id: '1', steps: [asks('q', 'Which colour?'), writes('a.txt', '{{answer:q}}\n')] },
        { id: '2', steps: [writes('b.txt')] },
        { id: '3', dependsOn: ['1', '2'], steps: [writes('c.txt')] },
      ]);
      const held = await place.run('--json');
      expect(held.code, held.stderr).toBe(3);
      expect(JSON.parse(held.stdout)).toMatchObject({
        result: 'waiting',
        standing: { closed: 1, blocked: 1, open: 1, asking: 1 },
        open: [{ task: 'shop/1', question: 'Which colour?' }],
      });
      expect(existsSync(join(place.cwd, 'b.txt'))).toBe(true);
      const [asked] = await place.inbox();
      await fermata(['answer', asked?.id ?? '', 'green'], place.at);
      const resumed = await place.run('--resume');
      expect(resumed.code, resumed.stderr).toBe(0);
      expect(resumed.stderr).toContain('1: scripted resumes');
      expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('green\n');
    },
    LONG,
  );

  test(
    'ROLE-2 open questions in the last answer make the task wait, with the work so far committed',
    async () => {
      const question = '{"status":"success","summary":"half","open_questions":["Which font?"]}';
      const place = planRepository([
        {
          id: '1',
          gate: 'test -f a.txt -a -f b.txt',
          scenario: {
            invocations: [
              { steps: [writes('a.txt'), { do: 'say', text: question }] },
              { steps: [writes('b.txt'), DONE] },
            ],
          },
        },
      ]);
      const first = await place.run();
      expect(first.code, first.stderr).toBe(3);
      expect(place.git('show', 'work--shop--implementation-1:a.txt')).toBe('x');
      const [asked] = await place.inbox();
      expect(asked).toMatchObject({
        source: 'execute',
        sourceId: 'shop/1',
        questions: [{ text: 'Which font?' }],
      });
      await fermata(['answer', asked?.id ?? '', 'Serif'], place.at);
      const second = await place.run();
      expect(second.code, second.stderr).toBe(0);
    },
    LONG,
  );

  longTest(
    'RUN-2 RUN-1 an agent that never gives a result fails its phase, and is started again once a person unblocks it',
    async () => {
      const nothing = { steps: [{ do: 'say' as const, text: 'I am done, I think.' }] };
      const place = planRepository([
        { id: '1', scenario: { invocations: [nothing, nothing, { steps: [writes('a.txt'), DONE] }] } },
        { id: '2', dependsOn: ['1'] },
        { id: '3' },
      ]);
      const failed = await place.run('--json');
      expect(failed.code, failed.stderr).toBe(1);
      const report = JSON.parse(failed.stdout);
      expect(report.result).toBe('failed');
      expect(report.phases.map(({ status }: { status: string }) => status)).toEqual([
        'blocked',
        'open',
        'closed',
      ]);
      expect(report.phases[0].reason).toContain('without a readable result');
      expect((await place.run()).code, 'a block stays until a person lifts it').toBe(1);
      expect((await fermata(['tasks', 'unblock', 'shop/1'], place.at)).code).toBe(0);
      const again = await place.run();
      expect(again.code, again.stderr).toBe(0);
    },
    LONG,
  );

  longTest(
    'RUN-1 a gate that hangs is stopped after its timeout, reported to the agent, and finally fails the phase',
    async () => {
      const place = planRepository([{ id: '1', gate: 'echo waiting for ever; sleep 1000' }]);
      const { code, stderr, stdout } = await place.run('--gate-timeout', '0.5s');
      expect(code, stderr).toBe(1);
      expect(stderr.match(/starts again to fix/g)).toHaveLength(3);
      expect(stdout).toContain('waiting for ever');
    },
    LONG,
  );

  test(
    'GATE-1 RUN-1 a phase that a person has to try waits for them, and changes go back to the agent',
    async () => {
      const place = planRepository([
        {
          id: '1',
          front: 'requires_manual_testing: true',
          scenario: {
            invocations: [
              { steps: [writes('a.txt', 'bad\n'), DONE] },
              { steps: [writes('a.txt', 'good\n'), DONE] },
            ],
          },
        },
      ]);
      expect((await place.run()).code).toBe(3);
      const [first] = await place.inbox();
      expect(first).toMatchObject({ source: 'gate', gate: { kind: 'testing', phase: '1' } });
      await fermata(['answer', first?.id ?? '', 'changes', 'skip', 'Make it good', 'skip'], place.at);
      const second = await place.run();
      expect(second.code, second.stderr).toBe(3);
      expect(second.stderr).toContain('starts again to make the changes that a person asked for');
      const [tried] = await place.inbox();
      await fermata(['answer', tried?.id ?? '', 'passed', 'skip', 'skip', 'skip'], place.at);
      const last = await place.run();
      expect(last.code, last.stderr + JSON.stringify(await place.inbox())).toBe(0);
      expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('good\n');
    },
    LONG,
  );

  longTest(
    'CMD-13 a merge conflict is resolved by an agent that is started for it',
    async () => {
      const resolve =
        'git merge --quiet work >/dev/null 2>&1; printf "both\\n" > same.txt; git add -A; git commit --quiet --no-edit';
      const place = planRepository([
        { id: '1', steps: [writes('same.txt', 'one\n')] },
        {
          id: '2',
          scenario: {
            invocations: [
              { steps: [{ do: 'wait', ms: 2500 }, writes('same.txt', 'two\n'), DONE] },
              { steps: [{ do: 'run', command: resolve }, DONE] },
            ],
          },
        },
      ]);
      const { code, stderr } = await place.run();
      expect(code, stderr).toBe(0);
      expect(stderr).toContain('starts again to resolve merge conflicts');
      expect(readFileSync(join(place.cwd, 'same.txt'), 'utf8')).toBe('both\n');
    },
    LONG,
  );

  longTest(
    'RUN-2 a run without --agent uses the agent of the last run; a program named now overrides the earlier one',
    async () => {
      const place = planRepository([{ id: '1' }]);
      const program = join(place.cwd, '..', 'agent.sh');
      writeFileSync(
        program,
        '#!/bin/sh\ncat >/dev/null\n[ -f ok ] || { touch ok; exit 1; }\necho \'{"status":"success"}\'\n',
        { mode: 0o755 },
      );
      writeFileSync(join(place.cwd, '..', 'fails.sh'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      const begun = await fermata(
        ['run', '--agent', 'command', '--agent-command', join(place.cwd, '..', 'fails.sh')],
        place.at,
      );
      expect(begun.code, begun.stderr).toBe(1);
      await fermata(['tasks', 'unblock', 'shop/1'], place.at);
      const again = await fermata(['run', '--resume'], place.at);
      expect(again.stderr).toContain('Running shop with command');
      expect(again.code).toBe(1);
      await fermata(['tasks', 'unblock', 'shop/1'], place.at);
      const other = await fermata(['run', '--agent-command', program], place.at);
      expect(other.code, other.stderr).toBe(0);
    },
    LONG,
  );

  test('RUN-2 --dry-run shows the rounds and changes nothing', async () => {
    const place = planRepository([{ id: '1' }, { id: '2', dependsOn: ['1'] }, { id: '3' }]);
    const { code, stdout } = await place.run('--dry-run', '--json');
    expect(code).toBe(0);
    expect(
      JSON.parse(stdout).phases.map(({ id, round }: { id: string; round: number }) => [id, round]),
    ).toEqual([
      ['1', 1],
      ['3', 1],
      ['2', 2],
    ]);
    expect(JSON.parse((await fermata(['tasks', 'list', '--json'], place.at)).stdout).tasks).toEqual([]);
  });
});
