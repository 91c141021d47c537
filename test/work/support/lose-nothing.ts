import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FermataError } from '../../../src/schema/error.ts';
import { cleanupWorktrees } from '../../../src/work/worktrees/cleanup-worktrees.ts';
import { discardWorktree } from '../../../src/work/worktrees/discard-worktree.ts';
import { type OpenWorktree, openWorktree } from '../../../src/work/worktrees/open-worktree.ts';
import { findContents, type Inventory, missing, takeInventory } from './inventory.ts';
import { commit, freshRepository, loginPhase, sh, type TestRepository } from './repository.ts';
import { bringIntoState } from './worktree-states.ts';

interface Subject {
  worktree: OpenWorktree;
  state: string;
  before: Inventory;
}

export interface Outcome {
  problems: string[];
  discarded: number;
  refused: Record<string, number>;
  removed: number;
  kept: number;
}

/** Brings worktrees into states, cleans up, then discards each, and returns what was lost: it must be nothing. */
export async function loseNothing(seeds: number[]): Promise<Outcome> {
  const at = await repositoryWithRemote();
  const outcome: Outcome = { problems: [], discarded: 0, refused: {}, removed: 0, kept: 0 };
  const subjects: Subject[] = [];
  for (const seed of seeds) subjects.push(await prepare(at, seed));
  const check = (when: string) => {
    const found = findContents(at.main, at.home, at.main);
    for (const { state, before } of subjects) {
      const lost = missing(before, found);
      outcome.problems.push(...lost.map((what) => `${when}, [${state}]: ${what}`));
    }
  };
  const cleaned = await cleanupWorktrees(at.worktreeContext, { dryRun: false });
  outcome.removed = cleaned.removed.length;
  outcome.kept = cleaned.kept.length;
  check('after the clean-up');
  for (const { worktree, state } of subjects) {
    try {
      const record = await at.ledger.worktrees.find(at.worktreeContext.projectId, worktree.branch);
      await discardWorktree(at.worktreeContext, record ?? worktree);
      outcome.discarded++;
      if (existsSync(worktree.path)) outcome.problems.push(`[${state}]: the folder is still there`);
    } catch (error) {
      if (!(error instanceof FermataError)) throw error;
      const type = 'type' in error ? String(error.type) : `${error.code}: ${error.message}`;
      outcome.refused[type] = (outcome.refused[type] ?? 0) + 1;
    }
  }
  check('after discarding');
  return outcome;
}

async function repositoryWithRemote(): Promise<TestRepository> {
  const at = await freshRepository();
  const remote = join(at.home, '..', 'remote.git');
  sh(at.main, 'init', '-q', '--bare', remote);
  sh(at.main, 'remote', 'add', 'origin', remote);
  sh(at.main, 'switch', '-q', '-c', 'conflicting');
  commit(at.main, 'conflicting', { 'conflict.txt': 'theirs\n' });
  sh(at.main, 'switch', '-q', 'login');
  commit(at.main, 'on login', { 'login.txt': 'l\n' });
  sh(at.main, 'push', '-q', 'origin', 'login');
  return at;
}

async function prepare(at: TestRepository, seed: number): Promise<Subject> {
  const worktree = await openWorktree(at.worktreeContext, loginPhase(`${seed}`, null, null));
  const { path, branch } = worktree;
  const state = bringIntoState({ main: at.main, path, branch, mark: `m${seed}` }, seed).join(', ');
  // All are recorded as merged, so only the check of each worktree decides.
  await at.ledger.worktrees.change(
    at.worktreeContext.projectId,
    branch,
    { state: 'merged' },
    at.worktreeContext.by,
  );
  return { worktree, state: `seed ${seed}: ${state}`, before: takeInventory(path) };
}
