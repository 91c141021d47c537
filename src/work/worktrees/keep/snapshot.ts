import { fermataIdentity } from '../../../git/commit.ts';
import { git } from '../../../git/git.ts';
import { isAncestor } from '../../../git/refs.ts';
import type { CheckoutSource } from './checkout-source.ts';
import { looseCommits } from './loose-commits.ts';
import { hasTree, writeTrees } from './trees.ts';

/**
 * One commit that reaches everything in a checkout: its branch, its files, what is staged, the sides of a conflict, and
 * commits on no branch. It is `tip` itself if there is nothing else. The same content always gives the same commit, so
 * repeating it after a crash adds nothing. If the files are gone (maybe by an interrupted removal), what `archived`
 * already has is not needed again.
 */
export async function snapshot(
  commonDir: string,
  source: CheckoutSource,
  branch: string,
  tip: string,
  archived?: string,
): Promise<string> {
  const about = await git(commonDir, ['show', '--no-patch', '--format=%ct %T', '--end-of-options', tip]);
  const [seconds = '', tipTree = ''] = about.split(' ');
  const env = fermataIdentity(`${seconds} +0000`);
  const commit = (tree: string, parents: string[], message: string) =>
    git(commonDir, ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', tree], {
      env,
      input: message,
    });

  const { files, raw, index, sides, head = tip } = await writeTrees(source);
  const further = await looseCommits(commonDir, source, branch);
  if (index !== files && index !== tipTree && !(await hasTree(commonDir, head, index))) {
    further.push(await commit(index, [tip], `Staged changes on ${branch}\n`));
  }
  if (raw) further.push(await commit(raw, [tip], `Exact bytes of files that git converts on ${branch}\n`));
  if (sides) further.push(await commit(sides, [tip], `Both sides of the conflicts on ${branch}\n`));

  const tree = files ?? tipTree;
  const kept = files === undefined && archived !== undefined ? [tip, archived] : [tip];
  const others = await without(commonDir, further, kept);
  if (others.length === 0 && tree === tipTree) return tip;
  return commit(tree, [tip, ...others], `Uncommitted changes on ${branch}\n`);
}

/** The commits that cannot be reached from the kept ones. */
async function without(folder: string, commits: string[], kept: string[]): Promise<string[]> {
  const needed: string[] = [];
  for (const commit of new Set(commits)) {
    const reached = await Promise.all(kept.map((other) => isAncestor(folder, commit, other)));
    if (!reached.includes(true)) needed.push(commit);
  }
  return needed;
}
