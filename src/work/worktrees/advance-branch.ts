import { gitError, tryGit } from '../../git/git.ts';
import { moveRef } from '../../git/refs.ts';
import { isThere, listCheckouts, operationOn } from '../../git/worktree-list.ts';
import { Refusal } from '../../schema/refusal.ts';

/**
 * Fast-forwards a branch to a commit that contains it, together with its checkout, if any. Uncommitted changes stay, or
 * the move is refused. False if somebody else moved the branch meanwhile.
 */
export async function advanceBranch(
  commonDir: string,
  branch: string,
  from: string,
  to: string,
): Promise<boolean> {
  const operation = operationOn(commonDir, branch);
  if (operation) {
    throw new Refusal('unfinished', `A ${operation} of ${branch} is in progress.`, {
      suggestion: 'Finish or abort it, and try again.',
    });
  }
  const checkout = (await listCheckouts(commonDir)).find((each) => each.branch === branch && !each.bare);
  if (!checkout || !isThere(checkout)) {
    return moveRef(commonDir, `refs/heads/${branch}`, to, from, `fermata: merge into ${branch}`);
  }
  return fastForward(checkout.path, to);
}

/** Git's own fast-forward updates only the files that the merge changes, and none that has other changes. */
async function fastForward(folder: string, to: string): Promise<boolean> {
  const args = ['merge', '--ff-only', '--no-autostash', '--quiet', to];
  const result = await tryGit(folder, args);
  if (result.code === 0) return true;
  if (/Not possible to fast-forward|Diverging branches/i.test(result.stderr)) return false;
  if (
    /would be overwritten by merge|would be removed by merge|would lose untracked files/.test(result.stderr)
  ) {
    const files = [...result.stderr.matchAll(/^\t(.+)$/gm)].map(([, file]) => file ?? '');
    throw new Refusal(
      'would_overwrite',
      `Uncommitted changes in ${folder} are in the way: ${files.slice(0, 5).join(', ')}.`,
      {
        suggestion: 'Nothing was merged. Commit or stash these files there, and try again.',
        data: { merged: false, checkout: folder, files: files.slice(0, 100) },
      },
    );
  }
  if (
    /not concluded your merge|unmerged files|MERGE_HEAD exists|CHERRY_PICK_HEAD exists/.test(result.stderr)
  ) {
    throw new Refusal('unfinished', `A merge is in progress in ${folder}, where the branch is checked out.`, {
      suggestion: 'Nothing was merged. Finish or abort it there, and try again.',
    });
  }
  throw gitError(args, result);
}
