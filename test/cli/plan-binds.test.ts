import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fermata } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';
import { call, makeWorktree, type PlanProject, planProject, wait } from '../work/support/plan-project.ts';
import { commit, sh, write } from '../work/support/repository.ts';

const LONG = { timeout: 120_000 };

/** A variant as an agent makes it by the protocol's first steps: started, in a worktree, implemented, committed. */
async function implemented(main: PlanProject, ...phase: string[]): Promise<PlanProject> {
  const branch = `feat/shop--implementation-${phase.join('-')}`;
  const taken = ['--specialist', `agent-${phase.join('-')}`, '--worktree', branch];
  expect(await call(main, 'plan', 'start-prompt', ...phase, ...taken)).toMatchObject({ code: 0 });
  const at = makeWorktree(main, branch);
  commit(at.cwd, 'work', { 'done.txt': `${phase.join(' ')}\n` });
  const record = ['plan', 'record-implementation', ...phase, '--walkthrough', 'done', '--iteration', '1'];
  expect(await call(at, ...record)).toMatchObject({ code: 0 });
  return at;
}

const refused = (type: string) => ({ code: 1, error: { type, suggestion: expect.stringMatching(/\w/) } });

test(
  'BIND-6 the protocol by hand with two variants: undecided and discarded ones are refused, the main one is merged',
  LONG,
  async () => {
    const main = planProject([
      { id: '1', front: 'variants: [A, B]' },
      { id: '2', after: 'Phase 1' },
    ]);
    const a = await implemented(main, '1', 'A');
    const b = await implemented(main, '1', 'B');

    expect(await call(a, 'git', 'merge-worktree', '1', 'A')).toMatchObject(refused('human_gates_open'));
    expect(await call(a, 'plan', 'complete-prompt', '1', 'A')).toMatchObject(refused('human_gates_open'));
    expect(await fermata(['tasks', 'close', 'shop/1-A'], main)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nobody has decided on the variants yet'),
    });

    const gate = await wait(a, 'plan', 'block-prompt-variants-gate', '1', 'A');
    expect(await call(b, 'git', 'merge-worktree', '1', 'B')).toMatchObject({
      code: 1,
      error: {
        type: 'human_gates_open',
        suggestion: expect.stringContaining(`fermata answer ${gate.asked.id}`),
      },
    });
    await fermata(['answer', gate.asked.id, 'main', 'discard', 'skip', 'skip'], main);
    expect(await gate.ended).toMatchObject({ code: 0, data: { variant_solution: 'main' } });

    expect(await call(b, 'git', 'merge-worktree', '1', 'B')).toMatchObject(refused('not_main'));
    expect(await call(b, 'plan', 'complete-prompt', '1', 'B')).toMatchObject(refused('not_main'));
    expect(await call(a, 'plan', 'complete-prompt', '1', 'A')).toMatchObject(refused('not_merged'));
    expect(await fermata(['tasks', 'close', 'shop/1-A'], main)).toMatchObject({ code: 1 });
    expect((await call(main, 'plan', 'next')).data.next).toEqual([]);

    expect(await call(a, 'git', 'merge-worktree', '1', 'A')).toMatchObject({
      code: 0,
      data: { merged: true },
    });
    expect(await call(a, 'plan', 'complete-prompt', '1', 'A')).toMatchObject({
      code: 0,
      data: { completed: true, merged: true, archived: [{ branch: 'feat/shop--implementation-1-B' }] },
    });
    expect(sh(main.cwd, 'show', 'feat/shop:done.txt')).toBe('1 A');
    expect((await call(main, 'plan', 'next')).data.next).toMatchObject([{ id: '2' }]);
  },
);

test(
  'BIND-6 a phase that a person must test, or whose gate command failed, is neither merged, completed nor closed',
  LONG,
  async () => {
    const main = planProject([{ id: '1', front: 'requires_manual_testing: true' }]);
    const at = await implemented(main, '1');
    expect(await call(at, 'git', 'merge-worktree', '1')).toMatchObject({
      code: 1,
      error: { type: 'human_gates_open', message: expect.stringContaining('Nobody has tested') },
    });
    const gate = await wait(at, 'plan', 'block-prompt-testing-gate', '1');
    await fermata(['answer', gate.asked.id, 'changes', 'skip', 'faster', 'skip'], main);
    await gate.ended;
    expect(await call(at, 'git', 'merge-worktree', '1')).toMatchObject({
      error: { message: expect.stringContaining('asked for changes') },
    });
    const again = ['--iteration', '2', '--refinement-reason', 'Testing feedback: faster'];
    await call(at, 'plan', 'record-implementation', '1', '--walkthrough', 'faster', ...again);
    const second = await wait(at, 'plan', 'block-prompt-testing-gate', '1');
    await fermata(['answer', second.asked.id, 'passed', 'skip', 'skip', 'skip'], main);
    await second.ended;
    commit(at.cwd, 'broken', { 'other.txt': '' });
    sh(at.cwd, 'rm', '-q', 'done.txt');
    commit(at.cwd, 'its file is gone');
    const third = await wait(at, 'plan', 'block-prompt-testing-gate', '1');
    await fermata(['answer', third.asked.id, 'passed', 'skip', 'skip', 'skip'], main);
    await third.ended;
    expect(await call(at, 'git', 'merge-worktree', '1')).toMatchObject({ code: 0 });
    expect(await call(at, 'plan', 'complete-prompt', '1')).toMatchObject(refused('gates_failed'));
    expect(await fermata(['tasks', 'close', 'shop/1'], main)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Gate commands of phase 1 failed: there'),
    });
    expect(await call(at, 'git', 'merge-worktree', '1')).toMatchObject(refused('gates_failed'));
  },
);

longTest('BIND-6 a phase whose branch grew after its merge is not closed', LONG, async () => {
  const main = planProject([{ id: '1', gates: '' }]);
  const at = await implemented(main, '1');
  expect(await call(at, 'git', 'merge-worktree', '1')).toMatchObject({ code: 0 });
  commit(at.cwd, 'more', { 'more.txt': '' });
  expect(await fermata(['tasks', 'close', 'shop/1'], main)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('git merge-worktree 1'),
  });
});

longTest(
  'BIND-6 work that changes after its test is tested again, but a commit or an edit of the plan needs no new test',
  LONG,
  async () => {
    const main = planProject([{ id: '1', front: 'requires_manual_testing: true' }]);
    const at = await implemented(main, '1');
    const gate = ['plan', 'block-prompt-testing-gate', '1'];
    const passed = { code: 0, data: { passed: true } };
    write(at.cwd, { 'new.txt': 'tested\n' });
    const first = await wait(at, ...gate);
    writeFileSync(first.asked.gate.file, 'passed: yes\ndone: true\n');
    expect(await first.ended).toMatchObject(passed);
    const phase = readFileSync(join(at.cwd, 'plans/shop/phase-1.md'), 'utf8');
    commit(at.cwd, 'what was tested', { 'plans/shop/phase-1.md': phase.replace('[ ]', '[x]') });
    expect(await call(at, ...gate)).toMatchObject(passed);

    commit(at.cwd, 'one more thing', { 'new.txt': 'not tested\n', 'plans/shop/phase-1.md': phase });
    expect(await call(at, 'git', 'merge-worktree', '1')).toMatchObject(refused('changed_after_test'));
    write(at.cwd, { 'new.txt': 'tested\n' });
    sh(at.cwd, 'update-index', '--assume-unchanged', 'new.txt');
    expect(await call(at, ...gate)).toMatchObject(passed);
    expect(await call(at, 'git', 'merge-worktree', '1')).toMatchObject(refused('changed_after_test'));
    sh(at.cwd, 'update-index', '--no-assume-unchanged', 'new.txt');
    sh(at.cwd, 'checkout', '-q', 'new.txt');
    const second = await wait(at, ...gate);
    expect(second.asked.id).not.toBe(first.asked.id);
    expect(second.asked.questions[0]).toMatchObject({
      context: expect.stringContaining('It changed after it passed its last test.'),
    });
    expect(await call(at, 'git', 'merge-worktree', '1')).toMatchObject(refused('human_gates_open'));
    writeFileSync(second.asked.gate.file, 'passed: yes\ndone: true\n');
    expect(await second.ended).toMatchObject(passed);
    expect(await call(at, ...gate)).toMatchObject(passed);
    expect(await call(at, 'git', 'merge-worktree', '1')).toMatchObject({ code: 0, data: { merged: true } });
    expect(await call(at, 'plan', 'complete-prompt', '1')).toMatchObject({ code: 0 });
  },
);

longTest(
  'BIND-6 if the main variant changes after it was chosen, a person chooses again, and may take the other one',
  LONG,
  async () => {
    const main = planProject([{ id: '1', front: 'variants: [A, B]' }]);
    const a = await implemented(main, '1', 'A');
    const b = await implemented(main, '1', 'B');
    const gate = ['plan', 'block-prompt-variants-gate', '1', 'A'];
    const first = await wait(a, ...gate);
    await fermata(['answer', first.asked.id, 'main', 'alternative', 'skip', 'skip'], main);
    await first.ended;
    expect(await call(a, ...gate)).toMatchObject({ code: 0, data: { variant_solution: 'main' } });

    commit(a.cwd, 'one more thing', { 'done.txt': 'not compared\n' });
    expect(await call(a, 'git', 'merge-worktree', '1', 'A')).toMatchObject(refused('changed_after_choice'));
    const second = await wait(a, ...gate);
    expect(second.asked.id).not.toBe(first.asked.id);
    expect(second.asked.questions[0]).toMatchObject({
      context: expect.stringContaining('The main variant changed after it was chosen.'),
    });
    await fermata(['answer', second.asked.id, 'discard', 'main', 'skip', 'skip'], main);
    expect(await second.ended).toMatchObject({ code: 0, data: { variant_solution: 'discard' } });
    expect(await call(a, 'git', 'merge-worktree', '1', 'A')).toMatchObject(refused('not_main'));
    expect(await call(b, 'git', 'merge-worktree', '1', 'B')).toMatchObject({ code: 0 });
    expect(await call(b, 'plan', 'complete-prompt', '1', 'B')).toMatchObject({ code: 0 });
    expect(await call(main, ...gate.slice(0, 3))).toMatchObject({ code: 0, data: { main: 'B' } });
    expect((await call(main, 'plan', 'next')).data).toMatchObject({ next: [] });
  },
);

test(
  'BIND-7 an agent that removes gates from the plan files in the checkout changes nothing: the approved gates apply',
  LONG,
  async () => {
    const main = planProject([{ id: '1', front: 'requires_manual_testing: true\nvariants: [A, B]' }]);
    const at = await implemented(main, '1', 'A');
    const phase = '# Phase 1: P1\n\n## Gates\n- there: `true`\n\n## Tasks\n- [ ] x\n';
    commit(main.cwd, 'by an agent', { 'plans/shop/phase-1.md': phase });
    const { data } = await call(at, 'plan', 'read-prompt', '1', 'A');
    expect(data).toMatchObject({ requires_manual_testing: true, gates: [{ command: 'test -f done.txt' }] });
    expect(await call(at, 'git', 'merge-worktree', '1', 'A')).toMatchObject(refused('human_gates_open'));
    const untrusting = { ...main, env: { ...main.env, FERMATA_TRUST: '0' } };
    expect(await call(untrusting, 'plan', 'start-prompt', '1', 'B', '--specialist', 'b')).toMatchObject({
      code: 3,
      error: { type: 'needs_approval', message: expect.stringContaining('plan shop (changed)') },
    });
    const { notifications } = JSON.parse((await fermata(['inbox', '--json'], main)).stdout);
    expect(notifications[0].questions[0].verbatim[0].text).toContain('-    $ test -f done.txt\n+    $ true');
  },
);

test('BIND-8 an agent that was not started for a phase cannot merge it', LONG, async () => {
  const main = planProject([{ id: '1' }]);
  const at = await implemented(main, '1');
  const asAgent = { ...at, env: { ...at.env, FERMATA_AGENT: 'reviewer' } };
  expect(await call(asAgent, 'git', 'merge-worktree', '1')).toMatchObject({
    code: 1,
    error: { message: expect.stringContaining('An agent may not merge a phase') },
  });
  expect(() => sh(main.cwd, 'show', 'feat/shop:done.txt')).toThrow();
  expect(await call(at, 'git', 'merge-worktree', '1')).toMatchObject({ code: 0, data: { merged: true } });
});

longTest(
  'BIND-8 an agent that asks at the variants gate gets the decision, and the other variants are closed on behalf of the person',
  LONG,
  async () => {
    const main = planProject([{ id: '1', front: 'variants: [A, B]' }]);
    const a = await implemented(main, '1', 'A');
    await implemented(main, '1', 'B');
    const asAgent = { ...a, env: { ...a.env, FERMATA_AGENT: 'coder', FERMATA_TASK: 'shop/1-A' } };
    const gate = await wait(asAgent, 'plan', 'block-prompt-variants-gate', '1', 'A');
    await fermata(['answer', gate.asked.id, 'main', 'discard', 'skip', 'skip'], main);
    expect(await gate.ended).toMatchObject({ code: 0, data: { variant_solution: 'main' } });
    const { stdout } = await fermata(['tasks', 'show', 'shop/1-B', '--json'], main);
    expect(JSON.parse(stdout)).toMatchObject({ task: { status: 'closed' } });
  },
);
