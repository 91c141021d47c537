import { branchTip, commitOf, isAncestor } from '../../../git/refs.ts';
import { Refusal } from '../../../schema/refusal.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { fetchFeature } from './fetch-feature.ts';
import { followFeature } from './follow-feature.ts';
import { branchRef, pushTo, type RemoteContext } from './remote-context.ts';

/** How often somebody else may move the branch between our fetch and our push. */
const TRIES = 10;

/** Synchronises the feature branch with the remote before a run begins. Creates it there if it does not exist. */
export async function publishFeature(context: RemoteContext, feature: string): Promise<void> {
  for (let attempt = 1; attempt <= TRIES; attempt++) if (await publish(context, feature)) return;
  throw new Refusal('busy', `${feature} keeps changing at ${context.remote.name}.`, {
    suggestion: 'Try again.',
    code: 'busy',
  });
}

async function publish(context: RemoteContext, feature: string): Promise<boolean> {
  const { commonDir } = context;
  const ref = branchRef(feature);
  const { tip: theirs } = await fetchFeature(context, feature);
  const local = await branchTip(commonDir, feature);
  const isNewHere = local !== undefined && local !== theirs;
  if (theirs !== undefined && isNewHere && !(await isAncestor(commonDir, local, theirs))) {
    if (!(await isAncestor(commonDir, theirs, local))) throw diverged(context, feature);
    return pushTo(context, [{ ref, from: theirs, to: local }]);
  }
  const to = theirs ?? local ?? (await headOf(context));
  if (theirs === undefined && !(await pushTo(context, [{ ref, from: undefined, to }]))) return false;
  await oneAtATime(context, () => followFeature(context, feature, to));
  return true;
}

async function headOf({ top }: RemoteContext): Promise<string> {
  const head = await commitOf(top, 'HEAD');
  if (head !== undefined) return head;
  throw new Refusal('no_commit', 'The repository has no commits yet, so there is nothing to branch from.', {
    suggestion: 'Commit something first.',
    code: 'invalid',
  });
}

function diverged({ remote }: RemoteContext, feature: string): Refusal {
  return new Refusal('diverged', `${feature} here and at ${remote.name} have different commits.`, {
    suggestion: `Nothing was changed. Merge them ("git pull --no-rebase ${remote.name} ${feature}"), and try again.`,
  });
}
