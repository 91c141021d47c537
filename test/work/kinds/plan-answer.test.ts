import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noUsage } from '../../../src/agents/driver.ts';
import { previousIssuesSection } from '../../../src/plan/convert/prompt.ts';
import { type PlanWork, planAnswer } from '../../../src/work/kinds/plan-answer.ts';
import { acceptAnswer } from '../../../src/work/run/perform.ts';
import { openStage } from '../../agents/support/stage.ts';
import { BAD_PLAN, block, MASTER, PLAN, phase } from '../../plan/convert/support/plans.ts';
import { agentThatSays } from '../run/support/agent-that-says.ts';

async function place() {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-attempts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const stage = await openStage();
  return { stage, folder, output: join(folder, 'plans', 'shop'), attempts: join(folder, 'home', 'shop') };
}

/** Lets an agent give these answers in one process; calling it again with the same place is another process. */
async function playing(
  answers: string[],
  at?: Awaited<ReturnType<typeof place>>,
  more: Partial<PlanWork> = {},
) {
  const here = at ?? (await place());
  const { driver, prompts } = agentThatSays(answers, { ...noUsage, inputTokens: 10 });
  const conducting = {
    ledger: here.stage.ledger,
    driver,
    setup: { cwd: '/', env: {}, mustAsk: false },
    questions: 'nobody' as const,
  };
  const attempted = planAnswer(conducting, {
    projectId: here.stage.projectId,
    sourceId: 'shop',
    taskId: 'convert:shop',
    work: { for: 'answer', about: 'shop' },
    output: here.output,
    attempts: here.attempts,
    replace: false,
    maxAttempts: 3,
    prompt: previousIssuesSection,
    doing: 'an agent writes the plan',
    report: () => undefined,
    ...more,
  });
  return { at: here, told: prompts, attempted, conducting };
}

const SECOND = 'Resuming at attempt 2 of 3.';

describe('CONV-4 CONV-5 attempts', () => {
  test('the first one that passes is put in place, and nothing else is left', async () => {
    const { at, told, attempted } = await playing([PLAN]);
    expect(await attempted).toMatchObject({
      kind: 'passed',
      files: ['MASTER_PLAN.md', 'phase-1.md'],
      attempts: [{ number: 1, passed: true, usage: { inputTokens: 10 } }],
    });
    expect(told).toEqual(['']);
    expect(readdirSync(at.output).sort()).toEqual(['MASTER_PLAN.md', 'phase-1.md']);
    expect(readdirSync(join(at.folder, 'plans'))).toEqual(['shop']);
    expect(existsSync(at.attempts)).toBe(false);
  });

  test('the next attempt gets what was wrong, line by line', async () => {
    const { told, attempted } = await playing([BAD_PLAN, PLAN]);
    expect(await attempted).toMatchObject({
      kind: 'passed',
      attempts: [{ passed: false }, { passed: true }],
    });
    expect(told[1]).toContain('Previous Attempt Failed Audit');
    expect(told[1]).toMatch(/^- \[error\] MISSING_GATES: Phase 1 has no gates defined/m);
    expect(told[1]).toMatch(/^- \[error\] NO_NOTES_OUTPUT: Phase 1/m);
  });

  test('a missing master, a broken block and an answer without files are reported, too', async () => {
    const { told, attempted } = await playing([phase(), `${MASTER}---FILE: phase-1.md---\nhalf`, 'No.']);
    expect(await attempted).toMatchObject({ kind: 'failed' });
    expect(told[1]).toContain('- [error] MASTER_NOT_FOUND: MASTER_PLAN.md not found');
    expect(told[2]).toContain('- [error] BLOCK_WITHOUT_END: The file phase-1.md has no ---END FILE---');
  });

  test('if none passes, the output is not touched and the best one is kept', async () => {
    const worse = MASTER;
    const { at, attempted } = await playing([BAD_PLAN, worse, 'No.']);
    const result = await attempted;
    expect(result).toMatchObject({ kind: 'failed', best: { number: 1 } });
    expect(existsSync(join(at.folder, 'plans'))).toBe(false);
    const kept = result.kind === 'failed' ? result.best.kept : '';
    expect(readdirSync(kept).sort()).toEqual(['MASTER_PLAN.md', 'phase-1.md']);
    expect(readFileSync(`${kept}.answer.txt`, 'utf8')).toBe(BAD_PLAN);
  });

  test('if the agent stops, the best attempt so far is kept', async () => {
    const { attempted } = await playing([BAD_PLAN, 'failed']);
    expect(await attempted).toMatchObject({ kind: 'stopped', reason: 'failed', best: { number: 1 } });
  });

  test('CONV-3 nothing is written for a hostile name, and the plan does not pass with it', async () => {
    const { at, told, attempted } = await playing([`${PLAN}${block('../../evil.md', 'x')}`, PLAN]);
    await attempted;
    expect(told[1]).toContain('BAD_FILE_NAME');
    expect(readdirSync(at.folder).sort()).toEqual(['home', 'plans']);
  });

  test('a previous plan becomes a backup, with everything in its folder', async () => {
    const at = await place();
    mkdirSync(at.output, { recursive: true });
    writeFileSync(join(at.output, 'MASTER_PLAN.md'), '# Old\n');
    writeFileSync(join(at.output, 'mine.txt'), 'mine');
    const { attempted } = await playing([PLAN], at, { replace: true });
    const result = await attempted;
    const backup = result.kind === 'passed' ? (result.backup ?? '') : '';
    expect(readdirSync(backup).sort()).toEqual(['MASTER_PLAN.md', 'mine.txt']);
    expect(readdirSync(at.output).sort()).toEqual(['MASTER_PLAN.md', 'phase-1.md']);
  });

  test('a plan that passed but cannot be written is kept, and the error says where', async () => {
    const at = await place();
    const report: PlanWork['report'] = ({ kind }) => {
      if (kind !== 'judged') return;
      mkdirSync(at.output, { recursive: true });
      writeFileSync(join(at.output, 'mine.txt'), 'written meanwhile');
    };
    const { attempted } = await playing([PLAN], at, { report });
    await expect(attempted).rejects.toThrow(/passed the audit, but could not.*attempt-1/s);
    expect(readdirSync(at.output)).toEqual(['mine.txt']);
    expect(readdirSync(join(at.attempts, 'attempt-1'))).toHaveLength(2);
  });

  test('continues after attempts of a process that is gone, and judges an answer that nobody has judged', async () => {
    const first = await playing([BAD_PLAN, 'failed']);
    await first.attempted;
    const resumed: string[] = [];
    const report: PlanWork['report'] = (each) => {
      if (each.kind === 'notice') resumed.push(each.text);
    };
    const { told, attempted } = await playing([PLAN], first.at, { report });
    const result = await attempted;
    expect(result).toMatchObject({ kind: 'passed', attempts: [{ number: 1 }, { number: 2 }] });
    expect({ told, resumed }).toEqual({
      told: [expect.stringContaining('MISSING_GATES')],
      resumed: [SECOND],
    });

    const again = await playing([], first.at, { report });
    expect(await again.attempted, 'in place, and not closed').toEqual(result);
    expect({ told: again.told, resumed }).toEqual({ told: [], resumed: [SECOND, SECOND] });
  });

  test('starts over once its plan is used, and once it was given up', async () => {
    const { at, attempted, conducting } = await playing([PLAN]);
    await acceptAnswer(conducting.ledger, (await attempted).run);
    const failing = await playing(['No.'], at, { replace: true, maxAttempts: 1 });
    expect(await failing.attempted).toMatchObject({ kind: 'failed' });
    const restarted = await playing([PLAN], at, { replace: true });
    expect(await restarted.attempted).toMatchObject({ kind: 'passed', attempts: [{ number: 1 }] });
    expect([failing.told, restarted.told]).toEqual([[''], ['']]);
  });

  test('an answer that two processes judge is used by one of them', async () => {
    const { at, attempted, conducting } = await playing([PLAN]);
    const { run } = await attempted;
    await acceptAnswer(conducting.ledger, run);
    await expect(acceptAnswer(conducting.ledger, run)).rejects.toMatchObject({ code: 'stale' });
    expect(existsSync(at.output)).toBe(true);
  });
});
