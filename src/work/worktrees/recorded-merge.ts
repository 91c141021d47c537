import { branchTip, isAncestor } from '../../git/refs.ts';
import type { By } from '../../schema/actor.ts';
import type { PhaseRecord, PhaseRecordOf } from '../../schema/phase-record.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { fetchFeature } from './exchange/fetch-feature.ts';
import { usesRemote } from './exchange/remote-context.ts';
import type { WorktreeContext } from './worktree-context.ts';

export type MergeRecord = PhaseRecordOf<'merge'>;

/**
 * Records the commit of a merge before the feature branch moves to it, so whoever takes over after a crash can see in the
 * branch whether it was merged. Throws if the caller's claim has ended.
 */
export async function recordMerge(
  { ledger, projectId, by, fence }: WorktreeContext,
  taskId: string | undefined,
  { commit, tip, approvedBy }: { commit: string; tip: string; approvedBy: By | undefined },
): Promise<void> {
  if (taskId === undefined) return;
  const data = { commit, tip, ...(approvedBy ? { approvedBy } : {}) };
  await ledger.phases.add(projectId, taskId, by, { kind: 'merge', data }, fence);
}

/**
 * The last merge on record that the feature branch contains (the remote's, if there is one). Only its own commit counts:
 * anybody can write a message, or a merge commit that looks like ours.
 */
export async function mergeInBranch(
  context: WorktreeContext,
  { featureBranch }: Pick<Worktree, 'featureBranch'>,
  records: readonly PhaseRecord[],
): Promise<MergeRecord | undefined> {
  const merges = records.filter((each) => each.kind === 'merge').reverse();
  if (merges.length === 0) return undefined;
  const tip = usesRemote(context)
    ? (await fetchFeature(context, featureBranch)).tip
    : await branchTip(context.commonDir, featureBranch);
  if (tip === undefined) return undefined;
  for (const merge of merges) if (await isAncestor(context.commonDir, merge.data.commit, tip)) return merge;
  return undefined;
}
