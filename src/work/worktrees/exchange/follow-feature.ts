import { branchTip, isAncestor, moveRef } from '../../../git/refs.ts';
import { FermataError } from '../../../schema/error.ts';
import { advanceBranch } from '../advance-branch.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { branchRef, fetchFrom, type RemoteContext } from './remote-context.ts';

/**
 * Moves the local feature branch to the remote's. If a person's own work prevents that now, the person is told and the
 * run continues, because the remote's branch is authoritative.
 */
export async function followFeature(context: RemoteContext, feature: string, to: string): Promise<void> {
  const { commonDir, remote, tell } = context;
  const local = await branchTip(commonDir, feature);
  if (local === to) return;
  if (local === undefined) {
    await moveRef(commonDir, branchRef(feature), to, '', `fermata: from ${remote.name}`);
    return;
  }
  if (!(await isAncestor(commonDir, local, to))) {
    tell?.(
      `${feature} has commits here that ${remote.name} does not have. Merge and push them: git pull --no-rebase, git push.`,
    );
    return;
  }
  try {
    await advanceBranch(commonDir, feature, local, to);
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
    tell?.(
      `${remote.name} has newer commits of ${feature}, but your checkout was not updated. ${error.message}`,
    );
  }
}

/** The same, with the remote's current commit, for the end of a run. */
export async function catchUp(context: RemoteContext, feature: string): Promise<void> {
  const to = (await fetchFrom(context, [branchRef(feature)])).get(branchRef(feature));
  if (to !== undefined) await oneAtATime(context, () => followFeature(context, feature, to));
}
