import { mergeTrees, writeCommit } from '../../../git/merge-tree.ts';
import { branchTip, isAncestor } from '../../../git/refs.ts';
import { Refusal } from '../../../schema/refusal.ts';
import { advanceBranch } from '../advance-branch.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import type { OpenWorktree } from '../open-worktree.ts';
import { fetchFeature } from './fetch-feature.ts';
import { followFeature } from './follow-feature.ts';
import type { RemoteContext } from './remote-context.ts';

/**
 * Merges the remote's feature branch into a phase's branch, so that its gates run on what will be merged. Returns the
 * commit of the feature branch that it now contains. Throws `merge_conflict` if an agent has to merge.
 */
export async function mergeFeature(context: RemoteContext, worktree: OpenWorktree): Promise<string> {
  const { featureBranch: feature, branch } = worktree;
  const { tip: theirs } = await fetchFeature(context, feature);
  return oneAtATime(context, async () => {
    const tip = await branchTip(context.commonDir, branch);
    if (theirs === undefined || tip === undefined) throw gone(theirs === undefined ? feature : branch);
    await followFeature(context, feature, theirs);
    // What was merged in is not the phase's own work. Recorded before the branch moves, because an agent could move it too.
    await context.ledger.worktrees.change(context.projectId, branch, { baseCommit: theirs }, context.by);
    if (await isAncestor(context.commonDir, tip, theirs)) await advance(context, branch, tip, theirs);
    else if (!(await isAncestor(context.commonDir, theirs, tip)))
      await mergeInto(context, worktree, tip, theirs);
    return theirs;
  });
}

async function mergeInto(
  context: RemoteContext,
  { path, branch, featureBranch }: OpenWorktree,
  ours: string,
  theirs: string,
): Promise<void> {
  const { remote } = context;
  const merged = await mergeTrees(path, ours, theirs);
  if (merged.kind === 'conflict') {
    const files = merged.conflicts.map((each) => each.path);
    throw new Refusal(
      'merge_conflict',
      `${branch} conflicts with ${featureBranch} in ${files.slice(0, 5).join(', ')}.`,
      {
        suggestion: `Merge ${remote.name}/${featureBranch} in the worktree, resolve the conflicts, and commit.`,
        data: { merged: false, branch, into: `${remote.name}/${featureBranch}`, conflicts: merged.conflicts },
      },
    );
  }
  const message = `Merge branch '${featureBranch}' into ${branch}\n`;
  const commit = await writeCommit(path, { tree: merged.tree, parents: [ours, theirs], message });
  await advance(context, branch, ours, commit);
}

async function advance(
  { commonDir }: RemoteContext,
  branch: string,
  from: string,
  to: string,
): Promise<void> {
  if (!(await advanceBranch(commonDir, branch, from, to)))
    throw new Refusal('busy', `${branch} changed in the meantime.`, {
      suggestion: 'Try again.',
      code: 'busy',
    });
}

function gone(branch: string): Refusal {
  return new Refusal('no_branch', `Branch ${branch} no longer exists.`, { code: 'not_found' });
}
