import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pinWorktree } from '../../config/repository.ts';
import { realPath } from '../../files/real-path.ts';
import { git, gitError, tryGit } from '../../git/git.ts';
import { branchTip, isAncestor } from '../../git/refs.ts';
import { type Checkout, listCheckouts } from '../../git/worktree-list.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import { quoted } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { advanceBranch } from './advance-branch.ts';
import { claimBranch } from './exchange/claim-branch.ts';
import { usesRemote } from './exchange/remote-context.ts';
import { ownGitDir } from './keep/checkout-source.ts';
import { quarantine } from './keep/quarantine.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { restoreCheckout } from './restore-checkout.ts';
import { folderNameOf, type WorktreeContext } from './worktree-context.ts';

/** The worktree of a phase or variant, or of a task without a plan. */
export interface WantedWorktree {
  branch: string;
  feature: string;
  /** The plan's folder, relative to the main checkout if it is inside. */
  plan: string | null;
  phase: string | null;
  variant: string | null;
}

/** A worktree that exists on disk. */
export type OpenWorktree = Worktree & { path: string };

/** Creates the worktree of a phase or task on its own branch, or reuses the existing one, and records it. */
export async function openWorktree(
  worktreeContext: WorktreeContext,
  { branch, feature: featureBranch, plan, phase, variant }: WantedWorktree,
): Promise<OpenWorktree> {
  const claimed = usesRemote(worktreeContext)
    ? await claimBranch(worktreeContext, featureBranch, branch)
    : undefined;
  return oneAtATime(worktreeContext, async () => {
    await claimed?.pull();
    const base = claimed?.base ?? (await branchTip(worktreeContext.commonDir, featureBranch));
    if (base === undefined) throw noFeatureBranch(featureBranch);
    crashPoint('worktree.begin');
    const path = await checkOut(worktreeContext, branch, base);
    pin(worktreeContext, path);
    crashPoint('worktree.made');
    const { projectId, ledger, by } = worktreeContext;
    const known = await ledger.worktrees.find(projectId, branch);
    if (known?.state === 'merged') await catchUpWithFeature(worktreeContext, branch, base);
    const input = { projectId, branch, path, featureBranch, plan, phase, variant, baseCommit: base };
    const record = await ledger.worktrees.record(input, by);
    crashPoint('worktree.recorded');
    return { ...record, path };
  });
}

/**
 * Work on a merged phase continues from the feature branch, where the merge may have been reverted since. Not if the branch
 * has other commits, or changes are in the way.
 */
async function catchUpWithFeature(
  { commonDir, ledger, projectId, by }: WorktreeContext,
  branch: string,
  base: string,
): Promise<void> {
  const tip = await branchTip(commonDir, branch);
  if (tip === undefined || tip === base || !(await isAncestor(commonDir, tip, base))) return;
  // Recorded before the branch moves, because an agent could move it too.
  await ledger.worktrees.change(projectId, branch, { baseCommit: base }, by);
  try {
    await advanceBranch(commonDir, branch, tip, base);
  } catch (error) {
    if (!(error instanceof FermataError)) throw error;
  }
}

/** The path where the branch is checked out. */
async function checkOut(worktreeContext: WorktreeContext, branch: string, base: string): Promise<string> {
  const [main, ...others] = await listCheckouts(worktreeContext.commonDir);
  if (main?.branch === branch && !main.bare) throw checkedOutByPerson(branch, main);
  const found = others.find((checkout) => checkout.branch === branch);
  return realPath(
    found
      ? await restoreCheckout(worktreeContext.commonDir, found)
      : await add(worktreeContext, branch, base),
  );
}

/** A worktree elsewhere was made by a person, so we leave it alone. */
function pin({ storage, commonDir }: WorktreeContext, path: string): void {
  const gitDir = ownGitDir(commonDir, path);
  const isOurs = existsSync(worktreesIn(storage)) && dirname(path) === realPath(worktreesIn(storage));
  if (gitDir !== undefined && isOurs) pinWorktree(path, gitDir);
}

/** Not in the checkout, where searches, watchers and test runners would find them. */
const worktreesIn = (storage: string) => join(storage, 'worktrees');

async function add(worktreeContext: WorktreeContext, branch: string, base: string): Promise<string> {
  const path = join(worktreesIn(worktreeContext.storage), folderNameOf(branch, worktreeContext.commonDir));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (existsSync(path)) quarantine(worktreeContext, path);
  const args = ['worktree', 'add', '--quiet', '--no-track', '-b', branch, '--', path, base];
  const result = await tryGit(worktreeContext.commonDir, args);
  if (result.code === 0) return path;
  // Git refuses to create a branch that exists. Keep its commits.
  if ((await branchTip(worktreeContext.commonDir, branch)) === undefined) throw gitError(args, result);
  await git(worktreeContext.commonDir, ['worktree', 'add', '--quiet', '--', path, branch]);
  return path;
}

function noFeatureBranch(feature: string): Refusal {
  return new Refusal('no_feature_branch', `Branch ${feature} not found.`, {
    suggestion: `Create it ("git switch -c ${quoted(feature)}") and commit something, then try again.`,
    code: 'not_found',
  });
}

function checkedOutByPerson(branch: string, { path }: Checkout): Refusal {
  return new Refusal(
    'checked_out',
    `Branch ${branch} is checked out in ${path}, which is the main checkout.`,
    {
      suggestion: 'Switch to another branch there.',
    },
  );
}
