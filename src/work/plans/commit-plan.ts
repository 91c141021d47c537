import { isAbsolute, posix } from 'node:path';
import { commitWithin, tryCommitting } from '../../git/commit.ts';
import { git, gitBytes, gitError, tryGit } from '../../git/git.ts';
import { branchTip, commitOf, currentBranch } from '../../git/refs.ts';
import { withScratchIndex } from '../../git/status.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { advanceBranch } from '../worktrees/advance-branch.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';
import type { WorktreeContext } from '../worktrees/worktree-context.ts';

type Place = Pick<PlanContext, 'folder' | 'name' | 'written' | 'checkouts'> & { git: WorktreeContext };

/** Whether a commit has the plan. A plan outside the repository cannot be in one. */
export async function isCommitted(place: Place, commit: string): Promise<boolean> {
  const { git, written } = place;
  const plan = pathOf(place);
  if (isAbsolute(plan)) return true;
  const master = `${commit}:${posix.join(plan, written.master)}`;
  return (await tryGit(git.commonDir, ['cat-file', '-e', master])).code === 0;
}

/** Commits the plan to the branch that is checked out where it lies, and nothing else. */
export async function commitPlan(place: Place): Promise<boolean> {
  return commitWithin(place.checkouts.feature, [pathOf(place)], `Add the plan ${place.name}`);
}

/** The branch that `commitPlan` commits to; undefined if HEAD is detached. */
export const branchOfCheckout = ({ checkouts }: Pick<Place, 'checkouts'>) => currentBranch(checkouts.feature);

/**
 * Adds the plan, as the checkout has committed it, to a branch that began before that. Phases work on that branch, so
 * they would not find the plan otherwise. False if there is nothing to add.
 */
export async function bringPlan(place: Place, branch: string): Promise<boolean> {
  const { git: at, checkouts } = place;
  const tip = await branchTip(at.commonDir, branch);
  if (tip === undefined || (await isCommitted(place, tip))) return false;
  const head = await commitOf(checkouts.feature, 'HEAD');
  if (head === undefined || !(await isCommitted(place, head))) return false;
  const plan = pathOf(place);
  const within = plan === '.' ? [] : [`${plan}/`];
  const listed = ['ls-tree', '-r', '-z', '--full-tree', head, '--', ...within];
  const files = await gitBytes(checkouts.feature, listed);
  const tree = await withScratchIndex(at.commonDir, async (env) => {
    await git(at.commonDir, ['read-tree', tip], { env });
    await git(at.commonDir, ['update-index', '-z', '--index-info'], { env, input: files });
    return git(at.commonDir, ['write-tree'], { env });
  });
  const args = ['commit-tree', tree, '-p', tip, '-F', '-'];
  const made = await tryCommitting(at.commonDir, args, { input: `Add the plan ${place.name}\n` });
  if (made.code !== 0) throw gitError(args, made);
  if (await advanceBranch(at.commonDir, branch, tip, made.stdout.toString('utf8').trim())) return true;
  throw new Refusal('feature_moved', `${branch} moved while the plan was added to it.`, {
    suggestion: 'Try again.',
  });
}

const pathOf = ({ checkouts, folder }: Pick<Place, 'checkouts' | 'folder'>) =>
  planOnRecord(checkouts.feature, folder);
