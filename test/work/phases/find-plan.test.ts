import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPhaseTask } from '../../../src/work/phases/phase-task.ts';
import { startPhase } from '../../../src/work/phases/start.ts';
import { worktreeOf } from '../../../src/work/phases/worktree.ts';
import { plannedRepository, refusedAs } from '../support/plan-place.ts';
import { sh } from '../support/repository.ts';

const one = [{ id: '1' }];

describe('CMD-1 which plan is meant', () => {
  test('is the only one, from any folder of the repository', async () => {
    const repository = await plannedRepository({ shop: one });
    expect((await repository.plan()).name).toBe('shop');
    expect((await repository.plan(join(repository.main, 'dir with space'))).name).toBe('shop');
  });

  test('files among the plans, and backups of replaced plans, do not count as plans', async () => {
    const repository = await plannedRepository({ shop: one });
    writeFileSync(join(repository.main, 'plans/README.md'), '# Plans');
    cpSync(join(repository.main, 'plans/shop'), join(repository.main, 'plans/.shop.backup-1'), {
      recursive: true,
    });
    expect((await repository.plan()).name).toBe('shop');
  });

  test('no plan, or several, is an error that lists them', async () => {
    const none = await plannedRepository({});
    expect(await refusedAs(none.plan())).toBe('no_plan');
    const two = await plannedRepository({ one, two: one });
    await expect(two.plan()).rejects.toMatchObject({
      type: 'several_plans',
      message: expect.stringMatching(/for login: plans\/one, plans\/two\./),
      details: { plans: ['plans/one', 'plans/two'] },
    });
    expect((await two.plan(two.main, 'plans/two')).name).toBe('two');
    expect((await two.plan(join(two.main, 'plans/one'))).name).toBe('one');
    expect(await refusedAs(two.plan(two.main, 'plans/three'))).toBe('not_found');
  });

  test('is the one named like the feature branch', async () => {
    const repository = await plannedRepository({ login: one, other: one });
    expect((await repository.plan()).name).toBe('login');
  });

  test('of several, is the only one that was started and is not done', async () => {
    const repository = await plannedRepository({ one, two: one });
    const start = async (name: string) => {
      const planContext = await repository.plan(repository.main, `plans/${name}`);
      return startPhase(planContext, findPhaseTask(planContext.plan, planContext.name, '1'), {
        specialist: 'be',
      });
    };
    await start('one');
    expect((await repository.plan()).name).toBe('one');
    await start('two');
    expect(await refusedAs(repository.plan())).toBe('several_plans');
    const { ledger, projectId, by } = await repository.plan(repository.main, 'plans/one');
    await ledger.tasks.end(projectId, 'one/1', by);
    expect((await repository.plan()).name).toBe('two');
  });

  test('in a worktree, is that of the feature, read where the feature is checked out', async () => {
    const repository = await plannedRepository({ one, two: one });
    const { main } = repository;
    const two = await repository.plan(main, 'plans/two');
    await startPhase(two, findPhaseTask(two.plan, two.name, '1'), { specialist: 'be' });
    const path = join(main, '..', 'by hand');
    sh(main, 'worktree', 'add', '-q', '-b', 'login--two--implementation-1', path);
    mkdirSync(join(path, 'deep'));
    for (const folder of [path, join(path, 'deep')]) {
      expect(await repository.plan(folder)).toMatchObject({ name: 'two', folder: join(main, 'plans/two') });
    }
    const inside = await repository.plan(path);
    const worktree = await worktreeOf(inside, findPhaseTask(inside.plan, inside.name, '1'));
    expect(worktree).toMatchObject({
      path,
      plan: 'plans/two',
      phase: '1',
      variant: null,
      featureBranch: 'login',
    });
    expect((await repository.plan()).name).toBe('two');
    sh(path, 'checkout', '-q', '--detach');
    expect((await repository.plan(path)).name).toBe('two');
  });
});
