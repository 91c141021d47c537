import { closeSync, constants, fstatSync, openSync, readlinkSync, type Stats } from 'node:fs';
import { relative, sep } from 'node:path';
import { realPath } from './real-path.ts';

/**
 * Uses a file for reading if it is inside all of these folders, also through links. Checks what was opened: whoever swaps a
 * folder for a link in between would otherwise choose what we read. Does not wait for a pipe.
 */
export function withFileInside<T>(
  folders: readonly string[],
  path: string,
  use: (file: number, stats: Stats) => T,
): T | 'outside' {
  const file = openSync(path, constants.O_NONBLOCK);
  try {
    const there = openedPath(file, path);
    return folders.every((folder) => isWithin(realPath(folder), there))
      ? use(file, fstatSync(file))
      : 'outside';
  } finally {
    closeSync(file);
  }
}

/** Only Linux says which file a descriptor leads to; only there does a sandbox confine who might swap one. */
const openedPath = (file: number, path: string) =>
  process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${file}`) : realPath(path);

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}
