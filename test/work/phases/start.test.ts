import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { holdPhase } from '../../../src/work/phases/hold.ts';
import type { PhaseTask } from '../../../src/work/phases/phase-task.ts';
import { startPhase } from '../../../src/work/phases/start.ts';
import { branchFor } from '../../../src/work/phases/worktree.ts';
import { approvePlan } from '../../../src/work/plans/approved-plan.ts';
import { ann } from '../../ledger/support/people.ts';
import { longTest } from '../../support/long-test.ts';
import { plannedRepository, refusedAs } from '../support/plan-place.ts';
import { agent, sh } from '../support/repository.ts';

describe('CMD-2 starting a phase', () => {
  test('of any number of agents at once, exactly one gets it, and the others learn its name', async () => {
    const repository = await plannedRepository({ shop: [{ id: '1' }] });
    const { planContext, at } = await repository.phase('1');
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const results = await Promise.allSettled(
      names.map((specialist) => startPhase(planContext, at, { specialist })),
    );
    const [winner, ...others] = names.filter((_, index) => results[index]?.status === 'fulfilled');
    expect(others).toEqual([]);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      expect(result.reason).toMatchObject({ type: 'held', details: { holder: winner } });
      expect(result.reason.message).toContain(`${winner} holds shop/1`);
      expect(result.reason.suggestion).toContain('fermata tasks release shop/1');
    }
  });

  test('the same agent can continue; after a person frees it, another may take it', async () => {
    const repository = await plannedRepository({ shop: [{ id: '1' }] });
    const { planContext, at } = await repository.phase('1');
    const { ledger, projectId } = planContext;
    await startPhase(planContext, at, { specialist: 'a', worktree: 'login/implementation-1' });
    await startPhase(planContext, at, { specialist: 'a', worktree: 'login--implementation-1' });
    expect(await ledger.phases.list(projectId, 'shop/1')).toMatchObject([
      { kind: 'started', branch: 'login--shop--implementation-1' },
    ]);
    expect(await refusedAs(ledger.tasks.free(projectId, 'shop/1', agent))).toBe(
      'An agent may not take over a task. A person has to do that.',
    );
    await ledger.tasks.free(projectId, 'shop/1', ann);
    await startPhase(planContext, at, { specialist: 'b' });
    expect(await refusedAs(startPhase(planContext, at, { specialist: 'a' }))).toBe('held');
  });

  test.each([
    ['login--shop--implementation-1', 'login--shop--implementation-1'],
    ['login/implementation-1', 'login--shop--implementation-1'],
    ['other--implementation-1', 'other--shop--implementation-1'],
    ['other--shop/implementation-1', 'other--shop--implementation-1'],
    ['login--two--implementation-1', undefined],
    ['login--shop--implementation-2', undefined],
    ['login--implementation-1-A', undefined],
  ])('VAR-2 TEAM-5 on login, %s names the branch %s of phase 1 of shop', (named, branch) => {
    const at = { number: '1', variant: null } as PhaseTask;
    const here = { record: undefined, featureBranch: 'login', isFeature: true };
    const attempt = () => branchFor({ here, name: 'shop' }, at, named);
    if (branch === undefined) expect(attempt).toThrow(expect.objectContaining({ type: 'invalid_name' }));
    else expect(attempt()).toBe(branch);
  });

  test('an agent that works under another’s claim needs no name, and an old claim number is refused', async () => {
    const repository = await plannedRepository({ shop: [{ id: '1' }] });
    const { planContext, at } = await repository.phase('1');
    await startPhase(planContext, at, { specialist: 'a' });
    const task = await planContext.ledger.tasks.get(planContext.projectId, 'shop/1');
    process.env.FERMATA_FENCE = String(task.fence);
    try {
      expect(await holdPhase(planContext, at)).toMatchObject({ leaseUntil: task.leaseUntil });
      await startPhase(planContext, at, { specialist: 'coder' });
      process.env.FERMATA_FENCE = String(task.fence - 1);
      expect(await refusedAs(holdPhase(planContext, at))).toBe('held');
    } finally {
      delete process.env.FERMATA_FENCE;
    }
  });

  test('is refused before its dependencies are done; the plan may be corrected meanwhile', async () => {
    const repository = await plannedRepository({
      shop: [{ id: '1' }, { id: '2', after: 'Phase 1' }, { id: '3', after: 'Phase 9' }],
    });
    const second = await repository.phase('2');
    expect(await refusedAs(startPhase(second.planContext, second.at, { specialist: 'a' }))).toBe('not_ready');
    const third = await repository.phase('3');
    expect(await refusedAs(startPhase(third.planContext, third.at, { specialist: 'a' }))).toBe(
      'unknown_dependency',
    );
    const file = join(second.planContext.folder, 'phase-2.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Phase 1\n', 'none\n'));
    const changed = await repository.phase('2');
    expect(await refusedAs(startPhase(changed.planContext, changed.at, { specialist: 'a' }))).toBe(
      'plan_changed',
    );
    await approvePlan(changed.planContext, ann);
    const again = await repository.phase('2');
    await startPhase(again.planContext, again.at, { specialist: 'a' });
    expect(sh(repository.main, 'diff', '--numstat')).toMatch(/^1\t1\tplans\/shop\/MASTER_PLAN\.md$/m);
  });

  test('is refused while its human gates cannot be read', async () => {
    const front = 'requires_manual_testing: true\nvariants: [A, B';
    const repository = await plannedRepository({ shop: [{ id: '1', front }] });
    const { planContext, at } = await repository.phase('1');
    const error = await startPhase(planContext, at, { specialist: 'a' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ type: 'unreadable_front_matter' });
    expect(String(error)).toMatch(/phase-1\.md is not valid YAML: line 2, column \d+: /);
  });

  test.each([
    [undefined, undefined, 'missing_specialist'],
    ['../x\n', undefined, 'invalid_specialist'],
    ['a', '../../etc', 'invalid_name'],
    ['a', 'login--implementation-1;rm', 'invalid_name'],
  ])('%j on %j is refused as %s', async (specialist, worktree, type) => {
    const repository = await plannedRepository({ shop: [{ id: '1' }] });
    const { planContext, at } = await repository.phase('1');
    const options = {
      ...(specialist === undefined ? {} : { specialist }),
      ...(worktree === undefined ? {} : { worktree }),
    };
    expect(await refusedAs(startPhase(planContext, at, options))).toBe(type);
  });

  longTest('no line of the plan is lost when many start at once', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => String(index + 1));
    const repository = await plannedRepository({ shop: ids.map((id) => ({ id })) });
    await Promise.all(
      ids.map(async (id) => {
        const { planContext, at } = await repository.phase(id);
        await startPhase(planContext, at, { specialist: `agent-${id}` });
      }),
    );
    const master = readFileSync(join(repository.main, 'plans/shop/MASTER_PLAN.md'), 'utf8');
    expect(master.match(/In Progress/g)).toHaveLength(12);
    expect(sh(repository.main, 'diff', '--shortstat')).toBe(
      ' 13 files changed, 24 insertions(+), 24 deletions(-)',
    );
  });
});
