import { type FSWatcher, lstatSync, readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LARGEST = 4 * 1024 * 1024;
/** Editors write in pieces: a text counts when it has stayed the same for so long. */
const SETTLE_MS = 60;
/** Where the system tells nothing, as on many network drives, we look ourselves. */
const LOOK_MS = 500;

/** Each text that a file comes to have, from the one it has now until the signal. Half-written ones are passed over. */
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

/** The text of a file; undefined where there is none that can be read. */
export function readText(path: string): string | undefined {
  try {
    const there = lstatSync(path);
    return there.isFile() && there.size <= LARGEST ? readFileSync(path, 'utf8') : undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EBUSY', 'EPERM'].includes(code)) return undefined;
    throw error;
  }
}

/** Of the folder, not of the file: many editors put a new file in the place of the old one. */
function changes(path: string, signal: AbortSignal): { next(): Promise<void>; stop(): void } {
  let wake: () => void = () => undefined;
  const tell = () => wake();
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(path), { persistent: false }, tell).on('error', () => watcher?.close());
  } catch (error) {
    // Out of watches: looking now and then is enough.
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
