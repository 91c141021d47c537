import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { featureBranchFor } from '../../../src/work/run/feature-branch.ts';
import { freshRepository, sh } from '../support/repository.ts';

test('RUN-1 a plan whose name is taken by folders gets a branch that git cannot mistake for one', async () => {
  const { main, worktreeContext: git } = await freshRepository();
  const branch = () => featureBranchFor({ name: 'shop', git, here: { featureBranch: 'main' } } as never);
  expect(await branch()).toBe('shop');
  mkdirSync(join(main, 'shop'));
  expect(await branch()).toBe('shop-plan');
  mkdirSync(join(main, 'shop-plan'));
  expect(await branch()).toBe('shop-plan-2');
  sh(main, 'branch', 'shop-plan-2');
  rmdirSync(join(main, 'shop'));
  expect(await branch(), 'the branch of the first run').toBe('shop-plan-2');
});
