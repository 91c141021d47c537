import { branchTip, currentBranch } from '../../git/refs.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { featuresOf, parseWorktreeBranch } from './worktree-branch.ts';
import type { WorktreeContext } from './worktree-context.ts';

/** Where a command was called, in terms of plans. */
export interface Here {
  /** Undefined in the main checkout, and in a worktree without a record. */
  record: Worktree | undefined;
  /** Undefined if HEAD is detached and there is no record. */
  featureBranch: string | undefined;
  /** The feature branch itself is checked out here. */
  isFeature: boolean;
  /** What the name of a branch for a phase begins with, if such a branch is checked out here without a record. */
  stem?: string;
}

/** From the record of the worktree; from the branch only if there is no record. */
export async function findHere(worktreeContext: WorktreeContext): Promise<Here> {
  const { ledger, projectId, top } = worktreeContext;
  const at = await ledger.worktrees.findAt(projectId, top);
  if (at) return { record: at, featureBranch: at.featureBranch, isFeature: false };
  const branch = await currentBranch(top);
  if (branch === undefined) return { record: undefined, featureBranch: undefined, isFeature: false };
  const record = await ledger.worktrees.find(projectId, branch);
  const byName = record ? undefined : await hereByName(top, branch);
  const featureBranch = record?.featureBranch ?? byName?.featureBranch ?? branch;
  return { record, featureBranch, isFeature: featureBranch === branch, ...byName };
}

/** A worktree made by hand is recognised by its name, if that feature branch exists. */
async function hereByName(
  folder: string,
  branch: string,
): Promise<Pick<Required<Here>, 'featureBranch' | 'stem'> | undefined> {
  const stem = parseWorktreeBranch(branch)?.stem;
  if (stem === undefined) return undefined;
  for (const featureBranch of featuresOf(stem))
    if ((await branchTip(folder, featureBranch)) !== undefined) return { featureBranch, stem };
  return undefined;
}
