import { git } from '../../git/git.ts';
import { mergeTrees } from '../../git/merge-tree.ts';
import { isAncestor } from '../../git/refs.ts';

/** Merges beyond this many in a row count as work. */
const MAX = 100;

/**
 * The last commit of a phase's own work. Skips merges of the feature branch on top of it if git reproduces them: what a
 * person tested, chose or reviewed stays valid when the work of others is merged into it.
 */
export async function ownWork(folder: string, tip: string, feature: string): Promise<string> {
  let commit = tip;
  for (let count = 0; count < MAX; count++) {
    const [, ours, theirs, ...more] = (await git(folder, ['rev-list', '--parents', '-n', '1', commit])).split(
      ' ',
    );
    if (ours === undefined || theirs === undefined || more.length > 0) return commit;
    if (!(await isAncestor(folder, theirs, `refs/heads/${feature}`))) return commit;
    const merged = await mergeTrees(folder, ours, theirs);
    if (merged.kind === 'conflict' || merged.tree !== (await treeOf(folder, commit))) return commit;
    commit = ours;
  }
  return commit;
}

export const treeOf = (folder: string, commit: string) =>
  git(folder, ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`]);
