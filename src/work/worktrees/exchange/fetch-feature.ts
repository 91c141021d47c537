import { tryGit } from '../../../git/git.ts';
import { isAncestor } from '../../../git/refs.ts';
import { shownAddress } from '../../../git/remote/address.ts';
import type { RemoteRefs } from '../../../git/remote/remote-refs.ts';
import { quoted } from '../../../schema/command-line.ts';
import { Refusal } from '../../../schema/refusal.ts';
import type { Worktree } from '../../../schema/worktree.ts';
import { branchRef, fetchFrom, type RemoteContext } from './remote-context.ts';

type Merged = Worktree & { mergeCommit: string };

/**
 * Fetches the feature branch and other refs. Throws unless the branch contains everything that our records say was merged
 * into it. The records are read first: what others merge meanwhile may be missing from the fetch.
 */
export async function fetchFeature(
  context: RemoteContext,
  feature: string,
  others: readonly string[] = [],
): Promise<{ there: RemoteRefs; tip: string | undefined }> {
  const merged = await mergedInto(context, feature);
  const there = await fetchFrom(context, [branchRef(feature), ...others]);
  const tip = there.get(branchRef(feature));
  await requireMerged(context, feature, merged, tip);
  return { there, tip };
}

async function requireMerged(
  context: RemoteContext,
  feature: string,
  merged: Merged[],
  tip: string | undefined,
): Promise<void> {
  if (merged.length === 0) return;
  if (tip === undefined) throw deleted(context, feature, merged);
  const commits = [...new Set(merged.map(({ mergeCommit }) => mergeCommit))];
  const args = ['rev-list', '--max-count=1', ...commits, '--not', tip];
  const { code, stdout } = await tryGit(context.commonDir, args);
  if (code === 0 && stdout.length === 0) return;
  for (const each of merged) {
    if (!(await isAncestor(context.commonDir, each.mergeCommit, tip)))
      throw rewritten(context, feature, each);
  }
}

async function mergedInto({ ledger, projectId }: RemoteContext, feature: string): Promise<Merged[]> {
  return (await ledger.worktrees.list(projectId)).filter(
    (each): each is Merged =>
      each.state === 'merged' && each.featureBranch === feature && each.mergeCommit !== null,
  );
}

function deleted({ remote }: RemoteContext, feature: string, merged: Merged[]): Refusal {
  return new Refusal(
    'no_feature_branch',
    `${remote.name} (${shownAddress(remote)}) no longer has the branch ${feature}, into which phases were merged.`,
    {
      suggestion: `Nothing was changed. Push it again from a clone that has it ("git push ${remote.name} ${quoted(feature)}"), and try again.`,
      data: { branch: feature, commit: merged.at(-1)?.mergeCommit },
      code: 'not_found',
    },
  );
}

function rewritten({ remote }: RemoteContext, feature: string, missing: Merged): Refusal {
  const { mergeCommit: commit, phase, branch } = missing;
  return new Refusal(
    'feature_rewritten',
    `${feature} at ${remote.name} (${shownAddress(remote)}) no longer contains ${phase === null ? branch : `phase ${phase}`}, which was merged as ${commit.slice(0, 12)}.`,
    {
      suggestion: `Nothing was changed. Somebody replaced the branch, or the phase was merged in a clone that does not use this remote. In a clone that has the commit, merge it into ${feature} ("git merge ${commit.slice(0, 12)}", with "-s ours" if its content is there already) and push.`,
      data: { branch: feature, commit },
    },
  );
}
