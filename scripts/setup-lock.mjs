import { mkdirSync, renameSync, rmSync, statSync, utimes } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const BEAT_MS = 1_000;
const STALE_MS = 15_000;

/**
 * Runs `work` while holding the folder `path`. The holder touches it every second; if it was not touched for 15 s, its
 * process is dead (pids would not work, because the other may be in another container).
 */
export async function withLock(
  path,
  work,
  { beat = BEAT_MS, stale = STALE_MS, poll = 200, onWait = say } = {},
) {
  await acquire(path, stale, poll, onWait);
  const heart = setInterval(() => touch(path), beat);
  try {
    return await work();
  } finally {
    clearInterval(heart);
    rmSync(path, { recursive: true, force: true });
  }
}

function say() {
  process.stderr.write('Waiting for another set-up of this folder …\n');
}

function touch(path) {
  // If a waiter took the lock while the machine was suspended, there may be nothing to touch, which does no harm.
  utimes(path, new Date(), new Date(), () => undefined);
}

async function acquire(path, stale, poll, onWait) {
  for (let told = false; ; told = true) {
    try {
      mkdirSync(path);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isStale(path, stale)) {
      takeAway(path, stale);
      continue;
    }
    if (!told) onWait();
    await sleep(poll);
  }
}

/** Renames first, so that only one of several waiters wins; a lock that was renewed in the meantime is put back. */
function takeAway(path, stale) {
  const aside = `${path}.${process.pid}.${Date.now()}`;
  try {
    renameSync(path, aside);
    if (isStale(aside, stale)) rmSync(aside, { recursive: true, force: true });
    else renameSync(aside, path);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function isStale(path, stale) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > stale;
}
