import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../git/git.ts';
import { branchTip, commitOf, isBranchName, isTrunk, moveRef } from '../../git/refs.ts';
import { Refusal } from '../../schema/refusal.ts';
import { planKey } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';

/**
 * The branch that a plan's phases are merged into: the one that is checked out, or a new one for the plan if that is the
 * trunk.
 */
export async function featureBranchFor(
  planContext: PlanContext & { git: WorktreeContext },
  wanted?: string,
): Promise<string> {
  const current = planContext.here.featureBranch;
  const own = current !== undefined && !isTrunk(current) ? current : undefined;
  const name = wanted ?? own ?? (await branchOfPlan(planContext.git, planKey(planContext.name)));
  if (isBranchName(name)) return name;
  throw new Refusal('invalid_name', `"${name.slice(0, 200)}" is not a valid branch name.`, {
    suggestion: 'Choose another with --feature.',
    code: 'invalid',
  });
}

/**
 * Named like the plan. If a file, a tag or a commit has that name, `git log NAME` would be ambiguous, so it is
 * `NAME-plan`, or `NAME-plan-2` and so on.
 */
async function branchOfPlan({ commonDir, top }: WorktreeContext, plan: string): Promise<string> {
  const other = `${plan}-plan`;
  const patterns = [plan, other, `${other}-*`].map((name) => `refs/heads/${name}`);
  const branches = await git(commonDir, ['for-each-ref', '--format=%(refname:strip=2)', ...patterns]);
  const isOwn = (name: string) =>
    name === plan || (name.startsWith(other) && /^(?:-\d+)?$/.test(name.slice(other.length)));
  const made = branches.split('\n').find(isOwn);
  if (made !== undefined) return made;
  const isTaken = async (name: string) =>
    existsSync(join(top, name)) || (await commitOf(top, name)) !== undefined;
  let name = plan;
  for (let number = 1; await isTaken(name); number += 1) name = number === 1 ? other : `${other}-${number}`;
  return name;
}

/** Creates the branch from the current checkout if it does not exist. Changes no checkout. */
export async function ensureBranch({ commonDir, top }: WorktreeContext, name: string): Promise<void> {
  if ((await branchTip(commonDir, name)) !== undefined) return;
  const head = await commitOf(top, 'HEAD');
  if (head === undefined) {
    throw new Refusal('no_commit', 'The repository has no commits yet, so there is nothing to branch from.', {
      suggestion: 'Commit something first.',
      code: 'invalid',
    });
  }
  // Another process may have created it at the same moment from a different commit.
  await moveRef(commonDir, `refs/heads/${name}`, head, '', 'fermata run');
}
