import { type FSWatcher, lstatSync, readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_SIZE = 4 * 1024 * 1024;
/** Editors write in pieces, so a text counts only after it has not changed for this long. */
const SETTLE_MS = 60;
/** Polling interval, because many network drives report no changes. */
const LOOK_MS = 500;

/** Each version of a file's text, starting with the current one, until the signal. Skips half-written versions. */
export async function* fileVersions(path: string, signal: AbortSignal): AsyncGenerator<string, void> {
  const change = changes(path, signal);
  let last: string | undefined;
  try {
    while (!signal.aborted) {
      const changed = change.next();
      const text = readText(path);
      if (text !== undefined && text !== last) {
        await sleep(SETTLE_MS);
        if (readText(path) !== text) continue;
        last = text;
        yield text;
        continue;
      }
      await changed;
    }
  } finally {
    change.stop();
  }
}

/** The text of a file; undefined if it cannot be read. */
export function readText(path: string): string | undefined {
  try {
    const there = lstatSync(path);
    return there.isFile() && there.size <= MAX_SIZE ? readFileSync(path, 'utf8') : undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EBUSY', 'EPERM'].includes(code)) return undefined;
    throw error;
  }
}

/** Watches the folder, not the file, because many editors replace the file with a new one. */
function changes(path: string, signal: AbortSignal): { next(): Promise<void>; stop(): void } {
  let wake: () => void = () => undefined;
  const tell = () => wake();
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(path), { persistent: false }, tell).on('error', () => watcher?.close());
  } catch (error) {
    // Out of watches: polling is enough.
    if (!(error instanceof Error)) throw error;
  }
  const timer = setInterval(tell, LOOK_MS);
  signal.addEventListener('abort', tell);
  return {
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
        if (signal.aborted) resolve();
      }),
    stop() {
      watcher?.close();
      clearInterval(timer);
      signal.removeEventListener('abort', tell);
    },
  };
}
