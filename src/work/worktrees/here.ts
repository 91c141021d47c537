import { branchTip, currentBranch } from '../../git/refs.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { parseWorktreeBranch } from './worktree-branch.ts';
import type { WorktreeContext } from './worktree-context.ts';

/** Where a command was called, in terms of plans. */
export interface Here {
  /** Undefined in the main checkout, and in a worktree without a record. */
  record: Worktree | undefined;
  /** Undefined if HEAD is detached and there is no record. */
  featureBranch: string | undefined;
  /** The feature branch itself is checked out here. */
  isFeature: boolean;
}

/** From the record of the worktree; from the branch only if there is no record. */
export async function findHere(worktreeContext: WorktreeContext): Promise<Here> {
  const { ledger, projectId, top } = worktreeContext;
  const at = await ledger.worktrees.findAt(projectId, top);
  if (at) return { record: at, featureBranch: at.featureBranch, isFeature: false };
  const branch = await currentBranch(top);
  if (branch === undefined) return { record: undefined, featureBranch: undefined, isFeature: false };
  const record = await ledger.worktrees.find(projectId, branch);
  const featureBranch = record?.featureBranch ?? (await featureByName(top, branch)) ?? branch;
  return { record, featureBranch, isFeature: featureBranch === branch };
}

/** A worktree made by hand is recognised by its name, if that feature branch exists. */
async function featureByName(folder: string, branch: string): Promise<string | undefined> {
  const feature = parseWorktreeBranch(branch)?.feature;
  return feature !== undefined && (await branchTip(folder, feature)) !== undefined ? feature : undefined;
}
