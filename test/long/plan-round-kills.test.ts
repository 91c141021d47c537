import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fermata } from '../support/fermata.ts';
import { call, makeWorktree, type PlanProject, planProject, reviewer } from '../work/support/plan-project.ts';
import { commit, sh } from '../work/support/repository.ts';

const branch = (variant: string) => `feat/shop--implementation-1-${variant}`;

/** Calls a command once for each crash point, and then lets it finish. */
async function killed(at: PlanProject, points: string[], ...args: string[]) {
  for (const point of points) {
    const env = { ...at.env, FERMATA_CRASH_AT: `${point}=kill` };
    const { code, stdout } = await fermata(args, { ...at, env });
    expect({ point, code, stdout }).toEqual({ point, code: null, stdout: '' });
  }
  return call(at, ...args);
}

test('GATE-1 CMD-2 CMD-3 CMD-4 VAR-1 killed at every step and called again, a round ends the same', {
  timeout: 300_000,
}, async () => {
  const main = planProject([{ id: '1', front: 'requires_manual_testing: true\nvariants: [A, B]' }]);
  await call(main, 'plan', 'start-prompt', '1', 'B', '--specialist', 'b');
  commit(makeWorktree(main, branch('B')).cwd, 'b', { 'done.txt': 'b\n' });

  const start = ['plan', 'start-prompt', '1', 'A', '--specialist', 'a', '--worktree', branch('A')];
  expect(await killed(main, ['start.tasks', 'start.taken', 'start.recorded'], ...start)).toMatchObject({
    code: 0,
    data: { holder: 'a' },
  });
  const at = makeWorktree(main, branch('A'));
  commit(at.cwd, 'a', { 'done.txt': 'a\n' });
  const record = ['plan', 'record-implementation', '1', 'A', '--walkthrough', 'w'];
  expect(await killed(at, ['record.appended'], ...record)).toMatchObject({
    code: 0,
    data: { recorded: false, iterations: 1 },
  });
  const program = reviewer(main, 'Looks good.', '{"verdict":"passed"}');
  const review = ['review', '1', 'A', '--agent-command', program];
  const steps = ['run.ended', 'assignment.judged', 'run.ended', 'review.answered', 'assignment.used'];
  expect(await killed(at, steps, ...review)).toMatchObject({ code: 0, data: { verdict: 'passed' } });
  expect(readFileSync(join(program, '../count'), 'utf8'), 'each answer is requested once').toBe('2\n');
  expect(await call(at, ...review), 'asked for again, it is a new review').toMatchObject({ code: 0 });
  expect(readFileSync(join(program, '../count'), 'utf8')).toBe('3\n');

  const testing = ['plan', 'block-prompt-testing-gate', '1', 'A'];
  expect((await killed(at, ['gate.asked', 'gate.file'], ...testing, '--timeout', '0.2')).error?.type).toBe(
    'timed_out',
  );
  const { data: open } = await call(at, ...testing, '--timeout', '0.2');
  writeFileSync(open.file, readFileSync(open.file, 'utf8').replace('done: false', 'done: true'));
  expect(await killed(at, ['gate.settled'], ...testing)).toMatchObject({ code: 0, data: { passed: true } });

  const variants = ['plan', 'block-prompt-variants-gate', '1', 'A'];
  const { data: choice } = await call(at, ...variants, '--timeout', '0.2');
  writeFileSync(choice.file, 'A: main\nB: alternative\ndone: true\n');
  expect(await killed(at, ['gate.settled', 'variants.recorded'], ...variants)).toMatchObject({
    code: 0,
    data: { variant_solution: 'main', unmerged_alternatives: [branch('B')] },
  });
  expect(await call(at, 'git', 'merge-worktree', '1', 'A')).toMatchObject({ code: 0 });
  const complete = ['plan', 'complete-prompt', '1', 'A'];
  expect(await killed(at, ['complete.checked', 'complete.closed'], ...complete)).toMatchObject({
    code: 0,
    data: { completed: true, unmerged_alternatives: [branch('B')] },
  });

  const { data: prompt } = await call(main, 'plan', 'read-prompt', '1', 'A');
  expect(prompt.iterations).toHaveLength(1);
  expect(prompt.human_gates).toMatchObject([
    { kind: 'testing', status: 'answered' },
    { kind: 'variants', status: 'answered' },
  ]);
  const { notifications } = JSON.parse((await fermata(['inbox', '--json'], main)).stdout);
  expect(notifications).toEqual([]);
  expect(readFileSync(join(main.cwd, 'plans/shop/phase-1.md'), 'utf8')).toContain('**Status:** Completed');
  expect(sh(main.cwd, 'diff', '--shortstat')).toBe(' 2 files changed, 2 insertions(+), 2 deletions(-)');
  expect(sh(main.cwd, 'status', '--porcelain', '--untracked-files=all')).not.toContain('.tmp');
});
