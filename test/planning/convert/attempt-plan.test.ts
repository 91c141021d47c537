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
import { type Attempting, attemptPlan } from '../../../src/planning/convert/attempt-plan.ts';
import { previousIssuesSection } from '../../../src/planning/convert/previous-issues.ts';
import { BAD_PLAN, block, MASTER, PLAN, phase } from './support/plans.ts';

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-attempts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, output: join(folder, 'plans', 'shop'), attempts: join(folder, 'home', 'shop') };
}

/** Plays the answers one after the other, and records what was told before each. */
function playing(answers: string[], at = place(), more: Partial<Attempting<string>> = {}) {
  const told: string[] = [];
  const attempted = attemptPlan<string>({
    output: at.output,
    attempts: at.attempts,
    replace: false,
    maxIterations: 3,
    ask: async ({ number, previous }) => {
      told.push(previousIssuesSection(previous));
      const text = answers[number - 1];
      return text === undefined ? { stopped: 'no more' } : { text, usage: { ...noUsage, inputTokens: 10 } };
    },
    ...more,
  });
  return { at, told, attempted };
}

describe('CONV-4 CONV-5 attempts', () => {
  test('the first one that passes is put in place, and nothing else is left', async () => {
    const { at, told, attempted } = playing([PLAN]);
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

  test('what was wrong is told to the next one, line by line', async () => {
    const { told, attempted } = playing([BAD_PLAN, PLAN]);
    expect(await attempted).toMatchObject({
      kind: 'passed',
      attempts: [{ passed: false }, { passed: true }],
    });
    expect(told[1]).toContain('Previous Attempt Failed Audit');
    expect(told[1]).toMatch(/^- \[error\] MISSING_GATES: Phase 1 has no gates defined/m);
    expect(told[1]).toMatch(/^- \[error\] NO_NOTES_OUTPUT: Phase 1/m);
  });

  test('a missing master, a broken block and an answer without files are told, too', async () => {
    const { told, attempted } = playing([phase(), `${MASTER}---FILE: phase-1.md---\nhalf`, 'No.']);
    expect(await attempted).toMatchObject({ kind: 'failed' });
    expect(told[1]).toContain('- [error] MASTER_NOT_FOUND: There is no MASTER_PLAN.md');
    expect(told[2]).toContain('- [error] BLOCK_WITHOUT_END: The file phase-1.md has no ---END FILE---');
  });

  test('where none passes, the output is not touched and the best one is kept', async () => {
    const worse = MASTER;
    const { at, attempted } = playing([BAD_PLAN, worse, 'No.']);
    const result = await attempted;
    expect(result).toMatchObject({ kind: 'failed', best: { number: 1 } });
    expect(existsSync(join(at.folder, 'plans'))).toBe(false);
    const kept = result.kind === 'failed' ? result.best.kept : '';
    expect(readdirSync(kept).sort()).toEqual(['MASTER_PLAN.md', 'phase-1.md']);
    expect(readFileSync(`${kept}.answer.txt`, 'utf8')).toBe(BAD_PLAN);
  });

  test('where the agent stops, what there is is kept', async () => {
    const { attempted } = playing([BAD_PLAN]);
    expect(await attempted).toMatchObject({ kind: 'stopped', stopped: 'no more', best: { number: 1 } });
  });

  test('CONV-3 nothing is written for a hostile name, and the plan does not pass with it', async () => {
    const { at, told, attempted } = playing([`${PLAN}${block('../../evil.md', 'x')}`, PLAN]);
    await attempted;
    expect(told[1]).toContain('BAD_FILE_NAME');
    expect(readdirSync(at.folder).sort()).toEqual(['home', 'plans']);
  });

  test('a previous plan becomes a backup, with everything in its folder', async () => {
    const at = place();
    mkdirSync(at.output, { recursive: true });
    writeFileSync(join(at.output, 'MASTER_PLAN.md'), '# Old\n');
    writeFileSync(join(at.output, 'mine.txt'), 'mine');
    const result = await playing([PLAN], at, { replace: true }).attempted;
    const backup = result.kind === 'passed' ? (result.backup ?? '') : '';
    expect(readdirSync(backup).sort()).toEqual(['MASTER_PLAN.md', 'mine.txt']);
    expect(readdirSync(at.output).sort()).toEqual(['MASTER_PLAN.md', 'phase-1.md']);
  });

  test('a plan that passed and cannot be written is kept, and said where', async () => {
    const at = place();
    const ask = async () => {
      mkdirSync(at.output, { recursive: true });
      writeFileSync(join(at.output, 'mine.txt'), 'written meanwhile');
      return { text: PLAN, usage: noUsage };
    };
    await expect(playing([], at, { ask }).attempted).rejects.toThrow(/passed, but could not.*attempt-1/s);
    expect(readdirSync(at.output)).toEqual(['mine.txt']);
    expect(readdirSync(join(at.attempts, 'attempt-1'))).toHaveLength(2);
  });

  test('goes on after attempts of a process that is gone', async () => {
    const { attempts } = await playing([BAD_PLAN]).attempted;
    const { told, attempted } = playing(['', PLAN], place(), { earlier: attempts });
    expect(await attempted).toMatchObject({ kind: 'passed', attempts: [{ number: 1 }, { number: 2 }] });
    expect(told).toEqual([expect.stringContaining('MISSING_GATES')]);
  });
});
