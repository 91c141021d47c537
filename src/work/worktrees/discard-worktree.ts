import { crashPoint } from '../../ledger/crash-point.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { git } from '../git/git.ts';
import { operationOn } from '../git/operation.ts';
import { branchTip } from '../git/refs.ts';
import { type Checkout, listCheckouts } from '../git/worktree-list.ts';
import { Refusal } from '../refusal.ts';
import { archive, deleteBranch, freeArchiveName } from './archive-branch.ts';
import { type CheckoutSource, checkoutSource } from './keep/checkout-source.ts';
import { removeCheckout } from './keep/remove-checkout.ts';
import { snapshot } from './keep/snapshot.ts';
import { folderNameOf, type Place } from './place.ts';
import { UNFINISHED } from './restore-checkout.ts';

export interface Discarded {
  branch: string;
  /** The branch that has everything; null where there was no branch to keep. */
  archive: string | null;
  /** The folder with what git ignores; null where there was nothing. */
  kept: string | null;
}

/**
 * Renames a worktree's branch to `archive/<branch>` with everything that was not committed, and removes the worktree.
 * Each step can be repeated, so after a crash the same call finishes it.
 */
export async function discardWorktree(place: Place, worktree: Worktree): Promise<Discarded> {
  const { branch } = worktree;
  const checkout = await checkoutToRemove(place, worktree);
  const commit = await everythingIn(place, worktree, checkout);
  crashPoint('discard.begin');
  const name = commit === undefined ? null : await archiveName(place, worktree);
  const kept = commit && name ? await archiveAndRemove(place, worktree, checkout, name, commit) : null;
  crashPoint('discard.deleted');
  await place.ledger.worktrees.change(place.projectId, branch, { state: 'archived', path: null }, place.by);
  return { branch, archive: name, kept };
}

async function archiveAndRemove(
  place: Place,
  worktree: Worktree,
  checkout: Checkout | undefined,
  name: string,
  commit: string,
): Promise<string | null> {
  const { commonDir } = place;
  const { branch } = worktree;
  await archive(commonDir, name, branch, commit);
  crashPoint('discard.archived');
  const keepTheRest = async (source: CheckoutSource) => {
    await archive(commonDir, name, branch, await snapshot(commonDir, source, branch, commit));
    return true;
  };
  const removed = checkout && (await removeCheckout(place, checkout, keptName(worktree), keepTheRest));
  crashPoint('discard.removed');
  await deleteArchived(commonDir, name, branch);
  return removed?.kept ?? null;
}

/** Somebody may commit to it meanwhile. */
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

/** One commit with everything of the worktree; undefined where nothing is left of it. */
async function everythingIn(
  { commonDir }: Place,
  { branch, archiveRef, baseCommit }: Worktree,
  checkout: Checkout | undefined,
): Promise<string | undefined> {
  const tip =
    (await branchTip(commonDir, branch)) ??
    (archiveRef === null ? undefined : await branchTip(commonDir, archiveRef)) ??
    (checkout && (checkout.head ?? baseCommit));
  const source = checkout && (await checkoutSource(commonDir, checkout));
  return tip !== undefined && source ? snapshot(commonDir, source, branch, tip) : tip;
}

export const keptName = ({ branch, id }: Worktree) => folderNameOf(branch, id);

/** Chosen once and written down, so that a second try goes on with the same one. */
async function archiveName(place: Place, { branch, archiveRef }: Worktree): Promise<string> {
  if (archiveRef !== null) return archiveRef;
  const name = await freeArchiveName(place.commonDir, branch);
  await place.ledger.worktrees.change(place.projectId, branch, { archiveRef: name }, place.by);
  crashPoint('discard.named');
  return name;
}

/** The checkout of a worktree, by its folder or its branch; undefined where it is gone. Refused where it must stay. */
async function checkoutToRemove(place: Place, { branch, path }: Worktree): Promise<Checkout | undefined> {
  const [main, ...others] = await listCheckouts(place.commonDir);
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
    await git(place.commonDir, ['worktree', 'unlock', '--', checkout.path]);
  else if (checkout && checkout.locked !== null) {
    throw new Refusal(
      'locked',
      `The worktree ${checkout.path} is locked${checkout.locked ? ` (${checkout.locked})` : ''}.`,
      {
        suggestion: `Unlock it ("git worktree unlock"), and try again.`,
      },
    );
  }
  const operation = operationOn(place.commonDir, branch, checkout?.path);
  if (operation) {
    throw new Refusal('unfinished', `A ${operation} of ${branch} is not finished in another checkout.`, {
      suggestion: 'Finish or end it, and try again.',
    });
  }
  return checkout;
}
