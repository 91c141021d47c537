import { git } from '../../git/git.ts';
import { revertTree, writeCommit } from '../../git/merge-tree.ts';
import { branchTip } from '../../git/refs.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { Refusal } from '../../schema/refusal.ts';
import { advanceBranch } from './advance-branch.ts';
import { fetchFeature } from './exchange/fetch-feature.ts';
import { followFeature } from './exchange/follow-feature.ts';
import { branchRef, pushTo, type RemoteContext, usesRemote } from './exchange/remote-context.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { WorktreeContext } from './worktree-context.ts';

export interface Reverting {
  /** The feature branch that has the merges. */
  from: string;
  /** Their commits, newest first. */
  merges: readonly string[];
  /** What was merged, for the message. */
  what: string;
}

/** How often somebody else may move the feature branch between our commit and our update. */
const TRIES = 10;

/** Reverts merges on a feature branch, all or none, and at the remote too if the project has one. Safe to repeat. */
export function revertMerges(context: WorktreeContext, reverting: Reverting): Promise<void> {
  if (usesRemote(context)) return revertAtRemote(context, reverting);
  return oneAtATime(context, async () => {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const before = await branchTip(context.commonDir, reverting.from);
      if (before === undefined) throw gone(reverting.from);
      const after = await revertedOn(context, before, reverting);
      crashPoint('undo.committed');
      if (after === before || (await advanceBranch(context.commonDir, reverting.from, before, after))) return;
    }
    throw keepsChanging(reverting.from);
  });
}

async function revertAtRemote(context: RemoteContext, reverting: Reverting): Promise<void> {
  const { from } = reverting;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const { tip: before } = await fetchFeature(context, from);
    if (before === undefined) throw gone(from);
    const after = await revertedOn(context, before, reverting);
    crashPoint('undo.committed');
    if (after !== before && !(await pushTo(context, [{ ref: branchRef(from), from: before, to: after }])))
      continue;
    return oneAtATime(context, () => followFeature(context, from, after));
  }
  throw keepsChanging(from);
}

/** The last of the commits that revert the merges; `onto` itself if it has none of their changes. */
async function revertedOn(
  { top }: WorktreeContext,
  onto: string,
  { from, merges, what }: Reverting,
): Promise<string> {
  let tip = onto;
  for (const merge of merges) {
    const reverted = await revertTree(top, tip, merge);
    if (reverted.kind === 'conflict') {
      const { conflicts } = reverted;
      throw new Refusal(
        'revert_conflict',
        `${what} cannot be undone by itself: later changes touch the same lines of ${conflicts
          .map(({ path }) => path)
          .slice(0, 5)
          .join(', ')}.`,
        {
          suggestion: `Nothing was changed. Undo what came after it first, or revert it by hand on ${from} (git revert -m 1 ${merge.slice(0, 12)}) and run this again.`,
          data: { conflicts },
        },
      );
    }
    const { tree } = reverted;
    if (tree === (await git(top, ['rev-parse', `${tip}^{tree}`])).trim()) continue;
    const message = `Revert ${what}\n\nThis reverts merge ${merge}.\n`;
    tip = await writeCommit(top, { tree, parents: [tip], message });
  }
  return tip;
}

function gone(branch: string): Refusal {
  return new Refusal('no_branch', `Branch ${branch} no longer exists.`, { code: 'not_found' });
}

function keepsChanging(branch: string): Refusal {
  return new Refusal('busy', `${branch} keeps changing.`, { suggestion: 'Try again.', code: 'busy' });
}
