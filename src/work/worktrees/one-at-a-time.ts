import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { requireGit } from '../../git/git.ts';
import { exclusively } from '../../ledger/engine/exclusively.ts';
import type { WorktreeContext } from './worktree-context.ts';

/**
 * Runs `work` on a project's worktrees while no other process of this machine changes them. Nothing in it waits for a
 * remote, because all other phases on this machine wait for it.
 */
export async function oneAtATime<T>(
  { storage, confirm, signal }: WorktreeContext,
  work: () => Promise<T>,
): Promise<T> {
  await requireGit();
  mkdirSync(storage, { recursive: true, mode: 0o700 });
  const confirmed = async () => {
    await confirm?.();
    return work();
  };
  return exclusively(join(storage, 'worktrees.lock'), confirmed, signal);
}
