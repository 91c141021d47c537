import { branchTip, commitOf, isAncestor, moveRef } from '../../../git/refs.ts';
import type { RemoteRefs } from '../../../git/remote/remote-refs.ts';
import { FermataError } from '../../../schema/error.ts';
import { Refusal } from '../../../schema/refusal.ts';
import { advanceBranch } from '../advance-branch.ts';
import { discardHere } from '../discard-worktree.ts';
import { claimCommit, claimRef } from './claim-ref.ts';
import { fetchFeature } from './fetch-feature.ts';
import { followFeature } from './follow-feature.ts';
import { branchRef, exchangedRef, pushTo, type RemoteContext, rememberExchanged } from './remote-context.ts';

const TRIES = 10;

/** A phase's branch that is claimed in the remote. */
export interface ClaimedBranch {
  /** The commit of the feature branch to begin at. */
  base: string;
  /** Takes over what others merged and pushed. Changes this clone, so nobody else may change its worktrees meanwhile. */
  pull(): Promise<void>;
}

/** Prepares work on a phase's branch: fetches everything merged before and what another machine did on it, and claims it. */
export async function claimBranch(
  context: RemoteContext,
  feature: string,
  branch: string,
): Promise<ClaimedBranch> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const { there, tip: base } = await fetchFeature(context, feature, [branchRef(branch), claimRef(branch)]);
    if (base === undefined) throw noFeatureBranch(context, feature);
    if (!(await claim(context, branch, there))) continue;
    const pull = async () => {
      await takeOverOnce(context, branch, there.get(branchRef(branch)));
      await followFeature(context, feature, base);
    };
    return { base, pull };
  }
  throw new Refusal('busy', `${branch} keeps changing at ${context.remote.name}.`, {
    suggestion: 'Try again.',
    code: 'busy',
  });
}

/** Takes over only what somebody else pushed, because our own commits may have been rewritten here since we pushed them. */
async function takeOverOnce(
  context: RemoteContext,
  branch: string,
  theirs: string | undefined,
): Promise<void> {
  const known = await commitOf(context.commonDir, exchangedRef(context, branch));
  if (theirs === undefined || theirs === known) return;
  await takeOver(context, branch, theirs);
  await rememberExchanged(context, branch, theirs);
}

/** For a branch that somebody else worked on after us. Their work wins; commits that only this clone has are archived. */
async function takeOver(context: RemoteContext, branch: string, theirs: string): Promise<void> {
  const { commonDir, ledger, projectId, tell } = context;
  const local = await branchTip(commonDir, branch);
  if (local === undefined) {
    await moveRef(commonDir, branchRef(branch), theirs, '', 'fermata: work of another clone');
    return;
  }
  if (await isAncestor(commonDir, theirs, local)) return;
  if ((await isAncestor(commonDir, local, theirs)) && (await forwarded(commonDir, branch, local, theirs)))
    return;
  const record = await ledger.worktrees.find(projectId, branch);
  if (!record)
    throw new Refusal('diverged', `${branch} here and at ${context.remote.name} have different commits.`);
  const { archive } = await discardHere(context, record);
  tell?.(`Another clone worked on ${branch}. The commits of this clone are kept in ${archive}.`);
  await moveRef(commonDir, branchRef(branch), theirs, '', 'fermata: work of another clone');
}

/** False if other changes prevent it. */
async function forwarded(commonDir: string, branch: string, from: string, to: string): Promise<boolean> {
  try {
    return await advanceBranch(commonDir, branch, from, to);
  } catch (error) {
    if (error instanceof FermataError) return false;
    throw error;
  }
}

async function claim(context: RemoteContext, branch: string, there: RemoteRefs): Promise<boolean> {
  if (context.fence === undefined) return true;
  const ref = claimRef(branch);
  const to = await claimCommit(context, branch, context.fence, there.get(branchRef(branch)));
  // The fetch may have taken long. Whoever lost the task must not take the claim from its new holder.
  await context.confirm?.();
  return pushTo(context, [{ ref, from: there.get(ref), to }]);
}

function noFeatureBranch({ remote }: RemoteContext, feature: string): Refusal {
  return new Refusal('no_feature_branch', `${remote.name} has no branch ${feature}.`, {
    suggestion: `Push it ("git push ${remote.name} ${feature}"), then try again.`,
    code: 'not_found',
  });
}
