import { git, tryGit } from '../../../git/git.ts';
import { type Remote, readRemote, shownAddress } from '../../../git/remote/address.ts';
import type { RemoteOptions } from '../../../git/remote/remote-git.ts';
import { fetchRefs, pushRefs, type RefUpdate, type RemoteRefs } from '../../../git/remote/remote-refs.ts';
import { Refusal } from '../../../schema/refusal.ts';
import type { WorktreeContext } from '../worktree-context.ts';

/** A worktree context in a clone that exchanges commits with others. */
export type RemoteContext = WorktreeContext & { remote: Remote };

export const usesRemote = (context: WorktreeContext): context is RemoteContext =>
  context.remote !== undefined;

export const branchRef = (branch: string) => `refs/heads/${branch}`;

/** Fetches refs from the remote, and also updates the refs that people see in git: `origin/login`. */
export async function fetchFrom(context: RemoteContext, refs: readonly string[]): Promise<RemoteRefs> {
  await requireSameAddress(context);
  const there = await fetchRefs(context.commonDir, context.remote, refs, endingWith(context));
  for (const [ref, commit] of there) await track(context, ref, commit);
  return there;
}

/** Moves refs of the remote, all or none; false if somebody else was first. */
export async function pushTo(context: RemoteContext, updates: readonly RefUpdate[]): Promise<boolean> {
  await requireSameAddress(context);
  if (!(await pushRefs(context.commonDir, context.remote, updates, endingWith(context)))) return false;
  for (const { ref, to } of updates) if (to !== undefined) await track(context, ref, to);
  return true;
}

export const endingWith = ({ signal }: RemoteContext): RemoteOptions => (signal ? { signal } : {});

/** The ref of the feature branch that counts: the remote's if there is one. */
export const featureRef = (context: WorktreeContext, feature: string) =>
  usesRemote(context) ? trackedRef(context, feature) : branchRef(feature);

/**
 * The last commit of a branch that this clone pushed or took over. Not the tracking ref, because any fetch, also a
 * person's own, moves that before the commit is taken over.
 */
export const exchangedRef = ({ remote }: RemoteContext, branch: string) =>
  `refs/fermata/exchanged/${remote.name}/${branch}`;

export async function rememberExchanged(
  context: RemoteContext,
  branch: string,
  commit: string,
): Promise<void> {
  await git(context.commonDir, ['update-ref', exchangedRef(context, branch), commit]);
}

/** The local tracking ref of a remote branch. */
const trackedRef = ({ remote }: RemoteContext, branch: string) => `refs/remotes/${remote.name}/${branch}`;

async function track(context: RemoteContext, ref: string, commit: string): Promise<void> {
  if (!ref.startsWith('refs/heads/')) return;
  const tracked = trackedRef(context, ref.slice('refs/heads/'.length));
  await tryGit(context.commonDir, ['update-ref', '-m', 'fermata', tracked, commit]);
}

/** An agent can write to the repository's configuration, so the address that was read first is used, and a change is an error. */
async function requireSameAddress({ commonDir, remote }: RemoteContext): Promise<void> {
  const now = await readRemote(commonDir, remote.name);
  if (now?.address === remote.address) return;
  throw new Refusal(
    'remote_changed',
    `The address of the remote ${remote.name} was changed while this ran: from ${shownAddress(remote)} to ${now ? shownAddress(now) : 'nothing'}.`,
    {
      suggestion: `Nothing was sent. Check who changed it, restore it ("git remote set-url ${remote.name} …"), and try again.`,
      code: 'forbidden',
    },
  );
}
