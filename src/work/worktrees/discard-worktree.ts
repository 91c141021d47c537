import { git } from '../../git/git.ts';
import { branchTip } from '../../git/refs.ts';
import { type Checkout, listCheckouts, operationOn } from '../../git/worktree-list.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { archive, deleteBranch, freeArchiveName } from './archive-branch.ts';
import { checkoutSource } from './keep/checkout-source.ts';
import { finishRemoval, removeCheckout } from './keep/remove-checkout.ts';
import { snapshot } from './keep/snapshot.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { UNFINISHED } from './restore-checkout.ts';
import { folderNameOf, type WorktreeContext } from './worktree-context.ts';

export interface Discarded {
  branch: string;
  /** The branch that has everything; null if there was no branch to keep. */
  archive: string | null;
  /** The folder with ignored files; null if there were none. */
  kept: string | null;
}

/**
 * Renames a worktree's branch to `archive/<branch>`, including everything uncommitted, and removes the worktree. Each
 * step can be repeated, so the same call finishes it after a crash.
 */
export function discardWorktree(
  worktreeContext: WorktreeContext,
  { id, branch }: Worktree,
): Promise<Discarded> {
  return oneAtATime(worktreeContext, async () => {
    const record = (await worktreeContext.ledger.worktrees.list(worktreeContext.projectId)).find(
      (each) => each.id === id,
    );
    if (!record)
      throw new Refusal('not_found', `No worktree of ${branch} is on record.`, { code: 'not_found' });
    if (record.state === 'archived') return { branch, archive: record.archiveRef, kept: null };
    return discardHere(worktreeContext, record);
  });
}

/** Like `discardWorktree`, for a caller that already has exclusive access to worktrees. */
export async function discardHere(worktreeContext: WorktreeContext, worktree: Worktree): Promise<Discarded> {
  const { branch, archiveRef } = worktree;
  const checkout = await checkoutToRemove(worktreeContext, worktree);
  const tip = await lastCommit(worktreeContext, worktree, checkout);
  const everything = tip && (await everythingIn(worktreeContext, checkout, branch, tip, archiveRef));
  crashPoint('discard.begin');
  const name = everything ? await archiveName(worktreeContext, worktree) : null;
  let kept: string | null = null;
  if (tip && everything && name) {
    await archive(worktreeContext.commonDir, name, branch, everything);
    crashPoint('discard.archived');
    kept = await remove(worktreeContext, worktree, checkout, { tip, name });
    crashPoint('discard.removed');
    await deleteArchived(worktreeContext.commonDir, name, branch);
  }
  crashPoint('discard.deleted');
  await worktreeContext.ledger.worktrees.change(
    worktreeContext.projectId,
    branch,
    { state: 'archived', path: null },
    worktreeContext.by,
  );
  return { branch, archive: name, kept };
}

/** Removes the folder, and archives what changed in it until the last moment. */
async function remove(
  worktreeContext: WorktreeContext,
  worktree: Worktree,
  checkout: Checkout | undefined,
  { tip, name }: { tip: string; name: string },
): Promise<string | null> {
  if (!checkout) {
    if (worktree.path !== null) finishRemoval(worktree.path);
    return null;
  }
  const keepTheRest = async () => {
    const rest = await everythingIn(worktreeContext, checkout, worktree.branch, tip, name);
    await archive(worktreeContext.commonDir, name, worktree.branch, rest);
    return true;
  };
  return (await removeCheckout(worktreeContext, checkout, keptName(worktree), keepTheRest))?.kept ?? null;
}

/** Retries, because somebody may commit to the branch in the meantime. */
async function deleteArchived(commonDir: string, name: string, branch: string): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    const tip = await branchTip(commonDir, branch);
    if (tip === undefined) return;
    await archive(commonDir, name, branch, tip);
    await deleteBranch(commonDir, branch, tip);
  }
  throw new Refusal('busy', `Branch ${branch} is archived as ${name}, but could not be deleted.`, {
    suggestion: 'Try again.',
    code: 'busy',
  });
}

/** The commit that the archive starts with; undefined if nothing is left of the worktree. */
async function lastCommit(
  { commonDir }: WorktreeContext,
  { branch, archiveRef, baseCommit }: Worktree,
  checkout: Checkout | undefined,
): Promise<string | undefined> {
  const tip = await branchTip(commonDir, branch);
  const archived = archiveRef === null ? undefined : await branchTip(commonDir, archiveRef);
  return tip ?? archived ?? (checkout && (checkout.head ?? baseCommit));
}

async function everythingIn(
  { commonDir }: WorktreeContext,
  checkout: Checkout | undefined,
  branch: string,
  tip: string,
  archiveRef: string | null,
): Promise<string> {
  const source = checkout && checkoutSource(commonDir, checkout);
  const archived = archiveRef === null ? undefined : await branchTip(commonDir, archiveRef);
  return source ? snapshot(commonDir, source, branch, tip, archived) : tip;
}

export const keptName = ({ branch, id }: Worktree) => folderNameOf(branch, id);

/** Chosen once and recorded, so that a retry uses the same name. */
async function archiveName(
  worktreeContext: WorktreeContext,
  { branch, archiveRef }: Worktree,
): Promise<string> {
  if (archiveRef !== null) return archiveRef;
  const name = await freeArchiveName(worktreeContext.commonDir, branch);
  await worktreeContext.ledger.worktrees.change(
    worktreeContext.projectId,
    branch,
    { archiveRef: name },
    worktreeContext.by,
  );
  crashPoint('discard.named');
  return name;
}

/** The checkout of a worktree, by folder or branch; undefined if it is gone. Throws if it must stay. */
async function checkoutToRemove(
  worktreeContext: WorktreeContext,
  { branch, path }: Worktree,
): Promise<Checkout | undefined> {
  const [main, ...others] = await listCheckouts(worktreeContext.commonDir);
  const checkout = others.find((each) => each.path === path) ?? others.find((each) => each.branch === branch);
  const elsewhere = [main, ...others].find(
    (each) => each?.branch === branch && each !== checkout && !each.bare,
  );
  if (elsewhere) {
    throw new Refusal('checked_out', `Branch ${branch} is checked out in ${elsewhere.path}.`, {
      suggestion: 'Switch to another branch there, and try again.',
    });
  }
  if (checkout?.locked === UNFINISHED)
    await git(worktreeContext.commonDir, ['worktree', 'unlock', '--', checkout.path]);
  else if (checkout && checkout.locked !== null) {
    throw new Refusal(
      'locked',
      `The worktree ${checkout.path} is locked${checkout.locked ? ` (${checkout.locked})` : ''}.`,
      {
        suggestion: `Unlock it ("git worktree unlock"), and try again.`,
      },
    );
  }
  const operation = operationOn(worktreeContext.commonDir, branch, checkout?.path);
  if (operation) {
    throw new Refusal('unfinished', `A ${operation} of ${branch} is in progress in another checkout.`, {
      suggestion: 'Finish or abort it, and try again.',
    });
  }
  return checkout;
}
