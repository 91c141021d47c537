import { closeSync, constants, existsSync, fstatSync, openSync, readlinkSync, type Stats } from 'node:fs';
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

const { O_DIRECTORY, O_NOFOLLOW } = constants;
const OPEN_FILES = '/proc/self/fd';

export interface OpenFolder {
  /** Leads to the folder that was opened until `close`, whatever its name leads to by then. */
  path: Buffer;
  close(): void;
}

/**
 * Opens a folder below `top` without following a link; undefined if a part of the way is missing or isn't a folder. Only Linux can
 * pin a folder that is swapped for a link later, but only there does a sandbox confine who might swap it.
 */
export function openRealFolder(top: string, names: readonly Buffer[]): OpenFolder | undefined {
  const isPinned = existsSync(OPEN_FILES);
  let path = Buffer.from(top);
  let folder = openSync(path, O_DIRECTORY);
  const pinned = () => (isPinned ? Buffer.from(`${OPEN_FILES}/${folder}`) : path);
  const close = () => closeSync(folder);
  try {
    for (const name of names) {
      path = entryOf(pinned(), name);
      const next = openSync(path, O_DIRECTORY | O_NOFOLLOW);
      close();
      folder = next;
    }
  } catch (error) {
    close();
    if (isAbsent(error)) return undefined;
    throw error;
  }
  return { path: pinned(), close };
}

/** The path of an entry of a folder; its name need not be UTF-8. */
export const entryOf = (folder: Buffer, name: Buffer) => Buffer.concat([folder, Buffer.from('/'), name]);

/** Whether something could not be opened because it is missing, is a link, or is below a file. */
export const isAbsent = (error: unknown) =>
  ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '');
