import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { unpinWorktree } from '../../../config/repository.ts';
import { git } from '../../../git/git.ts';
import type { Checkout } from '../../../git/worktree-list.ts';
import { crashPoint } from '../../../ledger/crash-point.ts';
import type { WorktreeContext } from '../worktree-context.ts';
import { type CheckoutSource, checkoutSource, takenAway } from './checkout-source.ts';
import { keepIgnored } from './keep-ignored.ts';
import { quarantine } from './quarantine.ts';

export interface Removed {
  /** Where ignored files were moved; null if there were none. */
  kept: string | null;
}

/**
 * Removes a checkout if nothing would be lost. Moves it away first, so that nobody can write to it, and checks it again;
 * if `isSafe` returns false, it is moved back and the result is undefined. If interrupted at any step, doing it again
 * finishes it. `name` is the name of the folder for ignored files.
 */
export async function removeCheckout(
  worktreeContext: WorktreeContext,
  checkout: Checkout,
  name: string,
  isSafe: (source: CheckoutSource) => Promise<boolean>,
): Promise<Removed | undefined> {
  const away = takenAway(checkout.path);
  if (existsSync(checkout.path)) {
    if (existsSync(away)) quarantine(worktreeContext, away);
    renameSync(checkout.path, away);
  }
  crashPoint('remove.taken-away');
  const source = checkoutSource(worktreeContext.commonDir, checkout);
  if (source && !(await isSafe(source))) {
    if (source.hasFiles) renameSync(away, checkout.path);
    return undefined;
  }
  const kept = join(worktreeContext.storage, 'kept', name);
  if (source?.hasFiles) await keepIgnored(away, kept);
  crashPoint('remove.kept');
  if (source?.hasFiles) {
    finishRemoval(checkout.path);
    renameSync(away, emptied(checkout.path));
  }
  crashPoint('remove.emptied');
  unpinWorktree(checkout.path);
  // Without --force, so that git checks the folder if somebody has recreated it.
  if (source) await git(worktreeContext.commonDir, ['worktree', 'remove', '--', checkout.path]);
  crashPoint('remove.forgotten');
  finishRemoval(checkout.path);
  return { kept: existsSync(kept) ? kept : null };
}

/** The name of a folder once nothing in it is needed. */
const emptied = (path: string) => `${takenAway(path)}.emptied`;

/** Deletes what an interrupted removal has left. */
export function finishRemoval(path: string): void {
  rmSync(emptied(path), { recursive: true, force: true });
}
