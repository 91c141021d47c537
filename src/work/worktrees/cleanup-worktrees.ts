import { relative } from 'node:path';
import { git } from '../../git/git.ts';
import { branchTip, isAncestor } from '../../git/refs.ts';
import { checkoutStatus } from '../../git/status.ts';
import { type Checkout, listCheckouts, operationIn } from '../../git/worktree-list.ts';
import { FermataError } from '../../schema/error.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { keptName } from './discard-worktree.ts';
import { type CheckoutSource, checkoutSource } from './keep/checkout-source.ts';
import { finishRemoval, removeCheckout } from './keep/remove-checkout.ts';
import { snapshot } from './keep/snapshot.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { WorktreeContext } from './worktree-context.ts';

/** Why a worktree is kept. */
type Reason =
  | 'active'
  | 'alternative'
  | 'in_use'
  | 'locked'
  | 'unfinished'
  | 'other_branch'
  | 'no_branch'
  | 'unmerged'
  | 'unpushed'
  | 'dirty'
  | 'untracked'
  | 'unkept';

export interface CleanedWorktrees {
  removed: { branch: string; path: string; kept: string | null }[];
  kept: { branch: string; path: string; reasons: Reason[] }[];
}

/** Removes the folders of merged worktrees that contain nothing beyond the feature branch. */
export async function cleanupWorktrees(
  worktreeContext: WorktreeContext,
  { dryRun }: { dryRun: boolean },
): Promise<CleanedWorktrees> {
  const result: CleanedWorktrees = { removed: [], kept: [] };
  for (const { id, state } of await worktreeContext.ledger.worktrees.list(worktreeContext.projectId)) {
    // One at a time, so that nobody who wants to work has to wait for all of them.
    if (state !== 'archived')
      await oneAtATime(worktreeContext, () => cleanUp(worktreeContext, id, dryRun, result));
  }
  return result;
}

async function cleanUp(
  worktreeContext: WorktreeContext,
  id: string,
  dryRun: boolean,
  result: CleanedWorktrees,
): Promise<void> {
  const worktree = (await worktreeContext.ledger.worktrees.list(worktreeContext.projectId)).find(
    (each) => each.id === id,
  );
  if (!worktree || worktree.state === 'archived') return;
  const { branch, state } = worktree;
  const [, ...checkouts] = await listCheckouts(worktreeContext.commonDir);
  const checkout = checkouts.find((each) => each.path === worktree.path || each.branch === branch);
  if (!checkout) {
    if (state === 'merged' && !dryRun) await forget(worktreeContext, worktree);
    return;
  }
  const { path } = checkout;
  const reasons = await reasonsToStay(worktreeContext, worktree, checkout);
  if (reasons.length > 0) result.kept.push({ branch, path, reasons });
  else if (dryRun) result.removed.push({ branch, path, kept: null });
  else {
    const isSafe = async (source: CheckoutSource) =>
      (await contentReasons(worktreeContext, worktree, source)).length === 0;
    const removed = await removeCheckout(worktreeContext, checkout, keptName(worktree), isSafe);
    if (removed) await forget(worktreeContext, worktree);
    if (removed) result.removed.push({ branch, path, kept: removed.kept });
    else result.kept.push({ branch, path, reasons: ['in_use'] });
  }
}

/** For a worktree whose folder is gone, maybe after an interrupted clean-up. */
async function forget(worktreeContext: WorktreeContext, { branch, path }: Worktree): Promise<void> {
  if (path !== null) finishRemoval(path);
  await worktreeContext.ledger.worktrees.change(
    worktreeContext.projectId,
    branch,
    { path: null },
    worktreeContext.by,
  );
}

async function reasonsToStay(
  worktreeContext: WorktreeContext,
  worktree: Worktree,
  checkout: Checkout,
): Promise<Reason[]> {
  const { state } = worktree;
  if (state === 'active' || state === 'alternative') return [state];
  const reasons: Reason[] = [];
  if (await isInUse(worktreeContext, checkout.path)) reasons.push('in_use');
  if (checkout.locked !== null) reasons.push('locked');
  const source = checkoutSource(worktreeContext.commonDir, checkout);
  if (source && operationIn(source.gitDir)) reasons.push('unfinished');
  if (checkout.branch !== worktree.branch) reasons.push('other_branch');
  reasons.push(...(await branchReasons(worktreeContext, worktree)));
  if (source) reasons.push(...(await contentReasons(worktreeContext, worktree, source)));
  return [...new Set(reasons)];
}

/** We, or an agent, are working in it. */
async function isInUse({ ledger, projectId, top }: WorktreeContext, path: string): Promise<boolean> {
  const isInside = (folder: string) => !/^\.\.(?:\/|$)/.test(relative(path, folder));
  const runs = await ledger.runs.unfinished(projectId);
  return isInside(top) || runs.some(({ cwd }) => isInside(cwd));
}

async function branchReasons(
  { commonDir }: WorktreeContext,
  { branch, featureBranch }: Worktree,
): Promise<Reason[]> {
  const [tip, feature] = [await branchTip(commonDir, branch), await branchTip(commonDir, featureBranch)];
  if (tip === undefined) return ['no_branch'];
  const merged = feature !== undefined && (await isAncestor(commonDir, tip, feature));
  return [
    ...(merged ? [] : ['unmerged' as const]),
    ...((await isPushed(commonDir, tip)) ? [] : ['unpushed' as const]),
  ];
}

/** The remote, if there is one, has the commit. */
async function isPushed(commonDir: string, commit: string): Promise<boolean> {
  const refs = (...args: string[]) => git(commonDir, ['for-each-ref', '--count=1', ...args, 'refs/remotes']);
  return (await refs()) === '' || (await refs('--contains', commit)) !== '';
}

async function contentReasons(
  { commonDir }: WorktreeContext,
  { branch }: Worktree,
  source: CheckoutSource,
): Promise<Reason[]> {
  const reasons: Reason[] = [];
  if (source.hasFiles) {
    const { changed, untracked } = await checkoutStatus(source.folder);
    if (changed.length > 0) reasons.push('dirty');
    if (untracked.length > 0) reasons.push('untracked');
  }
  const tip = await branchTip(commonDir, branch);
  if (reasons.length > 0 || tip === undefined) return reasons;
  return (await isAllIn(commonDir, source, branch, tip)) ? [] : ['unkept'];
}

/** The thorough check, which includes what git does not report, such as commits on no branch, or a nested repository. */
async function isAllIn(
  commonDir: string,
  source: CheckoutSource,
  branch: string,
  tip: string,
): Promise<boolean> {
  try {
    return (await snapshot(commonDir, source, branch, tip)) === tip;
  } catch (error) {
    if (error instanceof FermataError) return false;
    throw error;
  }
}
