import { cloneId } from '../../../git/clone.ts';
import { fermataIdentity } from '../../../git/commit.ts';
import { git } from '../../../git/git.ts';
import type { RemoteRefs } from '../../../git/remote/remote-refs.ts';
import { FermataError } from '../../../schema/error.ts';
import { branchRef, type RemoteContext } from './remote-context.ts';

/**
 * Records in the remote who works on a branch: the fence of the claim and the last commit pushed under it. Every push for
 * the branch moves this ref, so the remote itself refuses the push of a worker that lost its claim, even if that worker
 * was suspended and does not know it yet.
 */
export const claimRef = (branch: string) => `refs/fermata/claims/${branch}`;

/** The same claim always gives the same commit, so nothing has to be stored. */
export async function claimCommit(
  { commonDir }: RemoteContext,
  branch: string,
  fence: number,
  tip: string | undefined,
): Promise<string> {
  const tree = await git(commonDir, ['mktree'], { input: '' });
  const message = `Work on ${branch}\n\nclone ${cloneId(commonDir)}, claim ${fence}, at ${tip ?? 'its beginning'}\n`;
  return git(commonDir, ['commit-tree', '-F', '-', tree], { input: message, env: fermataIdentity(DATE) });
}

const DATE = '2000-01-01T00:00:00Z';

/** Throws if the remote shows that somebody else has taken over the branch. A person needs no claim. */
export async function requireClaim(context: RemoteContext, branch: string, there: RemoteRefs): Promise<void> {
  if (context.fence === undefined) return;
  const own = await claimCommit(context, branch, context.fence, there.get(branchRef(branch)));
  if (there.get(claimRef(branch)) === own) return;
  throw new FermataError(
    'stale',
    `Another clone has taken over ${branch}, according to ${context.remote.name}. Stop working on it.`,
  );
}
