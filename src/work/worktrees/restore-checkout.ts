import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gitDirOf } from '../../git/deaf-environment.ts';
import { git, tryGit } from '../../git/git.ts';
import { type Checkout, isThere, listCheckouts } from '../../git/worktree-list.ts';
import { Refusal } from '../../schema/refusal.ts';
import { takenAway } from './keep/checkout-source.ts';

/** The lock reason that git writes until `git worktree add` is finished. */
export const UNFINISHED = 'initializing';
/** How long that may take without writing files, and while writing them. */
const PATIENCE_MS = { idle: 3000, writing: 60_000 };

/** Makes a checkout that git knows usable: finishes an incomplete one, or restores one whose folder was deleted. */
export async function restoreCheckout(commonDir: string, checkout: Checkout): Promise<string> {
  if (checkout.locked === UNFINISHED) return finish(commonDir, checkout);
  if (isThere(checkout)) return checkout.path;
  if (checkout.locked !== null) {
    const why = checkout.locked ? ` (${checkout.locked})` : '';
    throw new Refusal('locked', `The worktree ${checkout.path} is locked${why}, but its folder is missing.`, {
      suggestion: 'Restore the folder, or run "git worktree unlock" and try again.',
    });
  }
  return restore(commonDir, checkout.path);
}

/** Another process may be creating it right now; if it died, we finish it, because nobody was given that folder yet. */
async function finish(commonDir: string, { path }: Checkout): Promise<string> {
  const begun = Date.now();
  for (let idleSince = begun; Date.now() - idleSince < PATIENCE_MS.idle; await sleep(50)) {
    const now = (await listCheckouts(commonDir)).find((checkout) => checkout.path === path);
    if (now?.locked !== UNFINISHED) return path;
    const lock = isThere(now) ? join(gitDirOf(path), 'index.lock') : undefined;
    if (lock === undefined || !existsSync(lock)) continue;
    if (Date.now() - begun > PATIENCE_MS.writing) throw leftLock(path, lock);
    idleSince = Date.now();
  }
  await git(commonDir, ['worktree', 'unlock', '--', path]);
  return restore(commonDir, path);
}

/** Restores the folder from where an interrupted removal put it, or from git's own files, including what was staged. */
async function restore(commonDir: string, path: string): Promise<string> {
  if (existsSync(takenAway(path)) && !existsSync(path)) {
    renameSync(takenAway(path), path);
    return path;
  }
  mkdirSync(path, { recursive: true });
  await git(commonDir, ['worktree', 'repair']);
  if (existsSync(join(gitDirOf(path), 'index'))) {
    // Without --force, so it only adds what is missing. A file in conflict has no single content and makes it exit with 1.
    await tryGit(path, ['checkout-index', '--all', '--quiet']);
    await tryGit(path, ['update-index', '-q', '--refresh']);
  } else await git(path, ['reset', '--hard', '--quiet']);
  return path;
}

function leftLock(path: string, lock: string): Refusal {
  return new Refusal('busy', `The worktree ${path} is still being created.`, {
    suggestion: `Try again. If no git is running there, remove ${lock} first.`,
    code: 'busy',
  });
}
