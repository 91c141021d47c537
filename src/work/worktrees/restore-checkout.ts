import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { git, tryGit } from '../../git/git.ts';
import { gitDir } from '../../git/refs.ts';
import { type Checkout, isThere, listCheckouts } from '../../git/worktree-list.ts';
import { Refusal } from '../../schema/refusal.ts';
import { takenAway } from './keep/checkout-source.ts';

/** What git writes as the reason while `git worktree add` is not finished. */
export const UNFINISHED = 'initializing';
/** How long it may be in that state without writing files, and while it writes them. */
const PATIENCE_MS = { idle: 3000, writing: 60_000 };

/** Makes a checkout that git knows of usable: finishes one that was begun, brings back one whose folder was deleted. */
export async function restoreCheckout(commonDir: string, checkout: Checkout): Promise<string> {
  if (checkout.locked === UNFINISHED) return finish(commonDir, checkout);
  if (isThere(checkout)) return checkout.path;
  if (checkout.locked !== null) {
    const why = checkout.locked ? ` (${checkout.locked})` : '';
    throw new Refusal('locked', `The worktree ${checkout.path} is locked${why}, but its folder is missing.`, {
      suggestion: 'Restore the folder, or run "git worktree unlock" and try again.',
    });
  }
  return bringBack(commonDir, checkout.path);
}

/** Somebody may be at it just now; one that died is finished for them: nobody was given that folder yet. */
async function finish(commonDir: string, { path }: Checkout): Promise<string> {
  const begun = Date.now();
  for (let idleSince = begun; Date.now() - idleSince < PATIENCE_MS.idle; await sleep(50)) {
    const now = (await listCheckouts(commonDir)).find((checkout) => checkout.path === path);
    if (now?.locked !== UNFINISHED) return path;
    const lock = isThere(now) ? join(await gitDir(path), 'index.lock') : undefined;
    if (lock === undefined || !existsSync(lock)) continue;
    if (Date.now() - begun > PATIENCE_MS.writing) throw leftLock(path, lock);
    idleSince = Date.now();
  }
  await git(commonDir, ['worktree', 'unlock', '--', path]);
  return bringBack(commonDir, path);
}

/** From where a removal that was interrupted has put it, else from git's own files: what was staged comes back too. */
async function bringBack(commonDir: string, path: string): Promise<string> {
  if (existsSync(takenAway(path)) && !existsSync(path)) {
    renameSync(takenAway(path), path);
    return path;
  }
  mkdirSync(path, { recursive: true });
  await git(commonDir, ['worktree', 'repair']);
  if (existsSync(join(await gitDir(path), 'index'))) {
    // Without --force: it only adds what is missing. A file in conflict has no one content and makes it end with 1.
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
