import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quoted } from '../../agents/shell-words.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { gitError, tryGit } from '../git/git.ts';
import { branchTip } from '../git/refs.ts';
import { type Checkout, listCheckouts } from '../git/worktree-list.ts';
import { Refusal } from '../refusal.ts';
import { setAside } from './keep/set-aside.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { folderNameOf, type Place } from './place.ts';
import { restoreCheckout } from './restore-checkout.ts';
import { type WorktreeName, worktreeBranch } from './worktree-branch.ts';

export interface WantedWorktree extends WorktreeName {
  /** The plan's folder, relative to the main checkout where it lies in it. */
  plan: string | null;
}

/** A worktree that is there to work in. */
export type OpenWorktree = Worktree & { path: string };

/** Makes the worktree of a phase on a branch of its own, or takes up the one there is, and records it. */
export async function openWorktree(place: Place, wanted: WantedWorktree): Promise<OpenWorktree> {
  const branch = worktreeBranch(wanted);
  const base = await branchTip(place.commonDir, wanted.feature);
  if (base === undefined) throw noFeatureBranch(wanted.feature);
  return oneAtATime(place, async () => {
    crashPoint('worktree.begin');
    const path = await checkOut(place, branch, base);
    crashPoint('worktree.made');
    const { feature: featureBranch, plan, phase, variant } = wanted;
    const { projectId, ledger, by } = place;
    const input = { projectId, branch, path, featureBranch, plan, phase, variant, baseCommit: base };
    const record = await ledger.worktrees.record(input, by);
    crashPoint('worktree.recorded');
    return { ...record, path };
  });
}

/** Where the branch is checked out in the end. */
async function checkOut(place: Place, branch: string, base: string): Promise<string> {
  const [main, ...others] = await listCheckouts(place.commonDir);
  if (main?.branch === branch && !main.bare) throw checkedOutByPerson(branch, main);
  const found = others.find((checkout) => checkout.branch === branch);
  return realpathSync(found ? await restoreCheckout(place.commonDir, found) : await add(place, branch, base));
}

async function add(place: Place, branch: string, base: string): Promise<string> {
  const path = join(place.storage, 'worktrees', folderNameOf(branch, place.commonDir));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (existsSync(path)) setAside(place, path);
  const known = await branchTip(place.commonDir, branch);
  const args = ['worktree', 'add', '--quiet', ...(known ? [] : ['--no-track', '-b', branch])];
  const added = [...args, '--', path, known ? branch : base];
  const result = await tryGit(place.commonDir, added);
  if (result.code === 0) return path;
  // A post-checkout hook that fails makes git end with an error, though the worktree is there.
  const made = (await listCheckouts(place.commonDir)).find((checkout) => checkout.branch === branch);
  if (!made) throw gitError(added, result);
  return restoreCheckout(place.commonDir, made);
}

function noFeatureBranch(feature: string): Refusal {
  return new Refusal('no_feature_branch', `There is no branch ${feature}.`, {
    suggestion: `Make it ("git switch -c ${quoted(feature)}") and commit something, then try again.`,
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
