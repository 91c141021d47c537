import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { fermata } from '../support/fermata.ts';
import {
  call,
  makeWorktree,
  type PlanProject,
  planProject,
  reviewer,
  wait,
} from '../work/support/plan-project.ts';
import { commit, sh } from '../work/support/repository.ts';

const front = 'requires_manual_testing: true\nvariants: [A, B, C]';
const rejected = '{"verdict":"changes","suggested_changes":["say more"],"thoughts":"short"}';
const passed = 'Fine.\n```json\n{"verdict":"passed","thoughts":"good"}\n```';

/** One variant from its start to the variants gate: reviewed, refined, tested, refined, tested again. */
async function work(
  main: PlanProject,
  variant: string,
  program: string,
  trials: number,
): Promise<PlanProject> {
  const branch = `feat/shop--implementation-1-${variant}`;
  const prompt = await call(main, 'plan', 'read-prompt', '1', variant);
  expect(prompt).toMatchObject({ code: 0, data: { id: `1-${variant}`, worktree: { branch, path: null } } });
  const start = [
    'plan',
    'start-prompt',
    '1',
    variant,
    '--specialist',
    `agent-${variant}`,
    '--worktree',
    branch,
  ];
  expect(await call(main, ...start)).toMatchObject({
    code: 0,
    data: { iteration: 1, holder: `agent-${variant}` },
  });
  const at = makeWorktree(main, branch);
  const record = (text: string, iteration: number, reason?: string) =>
    call(
      at,
      ...[
        'plan',
        'record-implementation',
        '1',
        variant,
        '--walkthrough',
        text,
        '--iteration',
        String(iteration),
      ],
      ...(reason ? ['--refinement-reason', reason] : []),
    );
  commit(at.cwd, 'first', { 'done.txt': `${variant}\n` });
  expect(await record('first', 1)).toMatchObject({ data: { walkthrough_type: 'initial' } });
  const review = ['review', '1', variant, '--agent-command', program];
  if (trials > 0) {
    expect(await call(at, ...review)).toMatchObject({
      code: 0,
      data: { verdict: 'changes', suggested_changes: ['say more'] },
    });
    commit(at.cwd, 'refined', { 'done.txt': `${variant}, more\n` });
    expect(await record('refined', 2, 'Review feedback: more')).toMatchObject({
      data: { walkthrough_type: 'review-refinement' },
    });
  }
  expect(await call(at, ...review)).toMatchObject({ code: 0, data: { verdict: 'passed' } });
  let iteration = trials > 0 ? 2 : 1;
  for (let trial = 0; trial < trials; trial++) {
    const gate = await wait(at, 'plan', 'block-prompt-testing-gate', '1', variant);
    // The question exists a moment before the plan shows it.
    const phase = () => readFileSync(join(main.cwd, 'plans/shop/phase-1.md'), 'utf8');
    await vi.waitFor(() => expect(phase()).toContain('Awaiting Human'), 60_000);
    const answers = ['changes', 'hm', 'faster', 'slow: 3 s'];
    expect((await fermata(['answer', gate.asked.id, ...answers], main)).code).toBe(0);
    expect(await gate.ended).toMatchObject({
      code: 0,
      data: {
        thoughts: 'hm',
        passed: false,
        refinements: 'faster',
        user_required_changes: 'faster',
        logs: 'slow: 3 s',
      },
    });
    commit(at.cwd, 'faster', { 'fast.txt': 'x\n' });
    iteration += 1;
    expect(await record('faster', iteration, 'Testing feedback: faster')).toMatchObject({
      data: { walkthrough_type: 'testing-refinement' },
    });
  }
  const gate = await wait(at, 'plan', 'block-prompt-testing-gate', '1', variant);
  writeFileSync(
    gate.asked.gate.file,
    readFileSync(gate.asked.gate.file, 'utf8').replace('done: false', 'done: true'),
  );
  expect(await gate.ended).toMatchObject({ code: 0, data: { passed: true } });
  return at;
}

test('CMD-1 CMD-2 CMD-3 CMD-4 CMD-7 CMD-8 CMD-14 VAR-1 a whole round: three variants, one of them merged and completed', {
  timeout: 120_000,
}, async () => {
  const main = planProject([
    { id: '1', front },
    { id: '2', after: 'Phase 1' },
  ]);
  const program = reviewer(main, rejected, passed);
  const a = await work(main, 'A', program, 1);
  const b = await work(main, 'B', program, 0);
  const c = await work(main, 'C', program, 0);

  const gate = await wait(a, 'plan', 'block-prompt-variants-gate', '1', 'A');
  const { material = [], file } = gate.asked.gate;
  for (const variant of ['A', 'B', 'C']) {
    const kinds = material.filter((piece) => piece.variant === variant).map(({ kind }) => kind);
    expect(kinds.slice(0, 3)).toEqual(['diff', 'gates', 'walkthrough']);
  }
  writeFileSync(
    file,
    'A: {decision: main, reason: best}\nB: {decision: alternative, reason: ok}\nC: discard\nthoughts: nice\ndone: yes\n',
  );
  const alternative = 'feat/shop--implementation-1-B';
  expect(await gate.ended).toMatchObject({
    code: 0,
    data: {
      thoughts: 'nice',
      variant_solution: 'main',
      reason: 'best',
      unmerged_alternatives: [alternative],
    },
  });
  expect((await call(b, 'plan', 'block-prompt-variants-gate', '1', 'B')).data).toMatchObject({
    variant_solution: 'alternative',
    reason: 'ok',
  });
  expect((await call(c, 'plan', 'block-prompt-variants-gate', '1', 'C')).data.variant_solution).toBe(
    'discard',
  );

  expect(await call(b, 'plan', 'complete-prompt', '1', 'B')).toMatchObject({
    code: 1,
    error: { type: 'not_main' },
  });
  expect((await call(main, 'plan', 'start-prompt', '2', '--specialist', 'x')).error?.type).toBe('not_ready');
  expect(await call(a, 'git', 'merge-worktree', '1', 'A')).toMatchObject({ code: 0, data: { merged: true } });
  expect(await call(a, 'plan', 'complete-prompt', '1', 'A')).toMatchObject({
    code: 0,
    data: {
      completed: true,
      merged: true,
      gates: [{ name: 'there', passed: true }],
      unmerged_alternatives: [alternative],
    },
  });
  expect(sh(main.cwd, 'branch', '--list', '--format=%(refname:short)', '*1-[BC]').split('\n')).toEqual([
    'archive/feat/shop--implementation-1-C',
    alternative,
  ]);
  expect(sh(main.cwd, 'show', 'feat/shop:done.txt')).toBe('A, more');
  expect(sh(main.cwd, 'diff', '--stat')).toMatch(/2 files changed, 2 insertions\(\+\), 2 deletions\(-\)/);
  expect(readFileSync(join(main.cwd, 'plans/shop/MASTER_PLAN.md'), 'utf8')).toContain('| Low | Completed |');
  expect((await call(main, 'plan', 'next')).data.next).toMatchObject([{ id: '2' }]);
  expect((await call(main, 'plan', 'read-prompt', '1', 'A')).data).toMatchObject({
    status: 'completed',
    iterations: [
      { type: 'initial' },
      { type: 'review-refinement' },
      { type: 'testing-refinement', refinement_reason: 'Testing feedback: faster' },
    ],
    reviews: [{ verdict: 'changes' }, { verdict: 'passed' }],
  });
});
