import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fermata, freshFolder } from '../../support/fermata.ts';
import { longTest } from '../../support/long-test.ts';
import { sh } from '../../work/support/repository.ts';
import { type PlanRepository, planRepository } from './support/plan-repository.ts';

const phases = [{ id: '1' }];
const named = { FERMATA_PROJECT: 'shop' };

/** Runs the plan in another folder, with the same ledger. */
const runIn = (cwd: string, { at }: PlanRepository) =>
  fermata(['run', 'plans/shop', '--agent', 'scripted'], { ...at, cwd });

const beside = ({ cwd }: PlanRepository, name: string) => join(cwd, '..', name);

test('TEAM-1 a second clone without a remote, and a clone of another repository, are refused before any work', async () => {
  const place = planRepository(phases, named);
  const other = beside(place, 'other');
  sh(place.cwd, 'clone', '--quiet', place.cwd, other);
  const first = await place.run('--no-review');
  expect(first.code, first.stderr + first.stdout).toBe(0);
  const before = sh(other, 'for-each-ref');
  for (const args of [
    ['run', 'plans/shop', '--agent', 'scripted'],
    ['git', 'merge-worktree', '1'],
  ]) {
    const { code, stdout, stderr } = await fermata(args, { ...place.at, cwd: other });
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('is worked on in another clone');
    expect(stdout + stderr).toContain('--project NAME');
  }
  expect(sh(other, 'for-each-ref')).toBe(before);
  expect(sh(other, 'status', '--porcelain')).toBe('');

  const shared = { ...named, FERMATA_HOME: place.at.env?.FERMATA_HOME ?? '' };
  const stranger = planRepository([{ id: '1', gate: 'test -d plans' }], shared, freshFolder('shop'));
  const { code, stderr } = await stranger.run();
  expect(code).toBe(2);
  expect(stderr).toContain('This is not a clone of the repository of project "shop"');
}, 120_000);

longTest(
  'TEAM-1 a worktree, or a clone that was moved, counts as the same clone; a copy does not',
  async () => {
    const place = planRepository(phases, named);
    const first = await place.run('--no-review');
    expect(first.code, first.stderr + first.stdout).toBe(0);
    const worktree = beside(place, 'worktree');
    sh(place.cwd, 'worktree', 'add', '--quiet', '--detach', worktree, 'work');
    expect((await runIn(worktree, place)).stderr).not.toContain('another clone');
    sh(place.cwd, 'worktree', 'remove', '--force', worktree);
    const copy = beside(place, 'copy');
    cpSync(place.cwd, copy, { recursive: true });
    expect((await runIn(copy, place)).stderr).toContain('is worked on in another clone');
    const moved = beside(place, 'moved');
    renameSync(place.cwd, moved);
    expect((await runIn(moved, place)).stderr).toContain('already done');
  },
  120_000,
);
