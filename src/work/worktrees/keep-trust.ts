import { basename, isAbsolute, resolve } from 'node:path';
import { git } from '../../git/git.ts';
import type { By } from '../../schema/actor.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { locateFeature } from '../phases/find-plan.ts';
import { contentsAt } from '../trust/gather-at.ts';
import type { WorktreeContext } from './worktree-context.ts';

/**
 * Trusts what a person approved with a merge, in their name, so that nobody is asked about it again. Reads the merge
 * commit, because a checkout may have other changes. What was untrusted before the merge stays untrusted.
 */
export async function keepTrust(
  worktreeContext: WorktreeContext,
  worktree: Worktree,
  { tip, into }: { tip: string; into: string },
  person: By,
): Promise<void> {
  const { ledger, projectId, commonDir } = worktreeContext;
  const plan = await planOf(worktreeContext, worktree);
  const merge = await mergeOf(commonDir, tip, into);
  if (!merge) return;
  const byName = async (commit: string) =>
    new Map((await contentsAt(commonDir, commit, plan)).map(({ name, content }) => [name, content]));
  const before = await byName(merge.onto);
  const after = await byName(merge.commit);
  const trusted = new Map((await ledger.trust.list(projectId)).map(({ name, content }) => [name, content]));
  const approved = [...after].filter(
    ([name, content]) => before.get(name) !== content && before.get(name) === trusted.get(name),
  );
  await ledger.trust.accept(
    projectId,
    approved.map(([name, content]) => ({ name, content })),
    person,
  );
}

/** A plan outside the repository is not merged. */
async function planOf(worktreeContext: WorktreeContext, { plan }: Worktree) {
  if (plan === null || isAbsolute(plan)) return undefined;
  const { checkouts } = await locateFeature(worktreeContext, worktreeContext.top);
  return { name: basename(resolve(checkouts.feature, plan)), path: plan };
}

/** The commit that merged a tip, even if that was before a crash. */
async function mergeOf(folder: string, tip: string, into: string) {
  const args = ['rev-list', '--merges', '--parents', `${tip}..${into}`];
  const merges = (await git(folder, args)).split('\n').map((line) => line.split(' '));
  const [commit, onto] = merges.find(([, , merged]) => merged === tip) ?? [];
  return commit && onto ? { commit, onto } : undefined;
}
