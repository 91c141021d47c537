import { cloneId } from '../../../git/clone-id.ts';
import { git } from '../../../git/git.ts';
import { fermataIdentity } from '../../../git/identity.ts';
import type { RemoteRefs } from '../../../git/remote/remote-refs.ts';
import { FermataError } from '../../../schema/error.ts';
import { branchRef, type RemoteContext } from './remote-context.ts';

/**
 * Says in the remote who works on a branch, by the number of the claim and the last commit that was pushed under it. Every
 * push for the branch moves it, so that the push of a worker that lost its claim is refused by the remote itself, also if
 * that worker was suspended and does not know yet.
 */
export const claimRef = (branch: string) => `refs/fermata/claims/${branch}`;

/** The same claim is always the same commit, so nothing has to be remembered. */
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

/** Throws if the remote says that somebody else has taken over the branch. Nobody's claim is asked of a person. */
export async function requireClaim(context: RemoteContext, branch: string, there: RemoteRefs): Promise<void> {
  if (context.fence === undefined) return;
  const own = await claimCommit(context, branch, context.fence, there.get(branchRef(branch)));
  if (there.get(claimRef(branch)) === own) return;
  throw new FermataError('stale', `Somebody else has taken over ${branch}: ${context.remote.name} says so.`);
}
