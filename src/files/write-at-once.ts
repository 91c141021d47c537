import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { diskFull } from '../schema/disk-full.ts';
import { FermataError } from '../schema/error.ts';
import { readSmall } from './read-bounded.ts';

/**
 * Writes a file atomically: a reader sees the old text or the new one, whatever happens meanwhile. Keeps the mode if none
 * is given.
 */
export function writeAtOnce(path: string, text: string, mode = modeOf(path)): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = openSync(temporary, 'wx', mode);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    flushFolder(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
}

/** Writes a file atomically, or says why that is impossible. */
export function writeFile(path: string, text: string): void {
  try {
    writeAtOnce(path, text);
  } catch (error) {
    throw new FermataError('read_only', `Cannot write ${path}: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

/** Makes the names in a folder durable; without it, a renamed file may have its old name again after a power failure. */
export function flushFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Creates a folder and its parents, for the owner only. (Node's own `recursive` never ends below /proc.) */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** The random id in a file; undefined if there is none. */
export function readLastingId(file: string): string | undefined {
  const id = readSmall(file, 100)?.trim();
  return id && /^[0-9a-f-]{36}$/.test(id) ? id : undefined;
}

/**
 * The random id in a file, which is written now if there is none. Several processes may do this at once: only one of them
 * can create the link, and the others read its id.
 */
export function lastingId(file: string): string {
  return readLastingId(file) ?? giveId(file);
}

/** Errors after which we write the file directly: it has other content, or its file system has no hard links. */
const isWrittenPlainly = new Set(['EEXIST', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

function giveId(file: string): string {
  const id = randomUUID();
  const temporary = `${file}.${id}`;
  try {
    writeFileSync(temporary, `${id}\n`, { flag: 'wx', mode: 0o600 });
    linkSync(temporary, file);
    return id;
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'link' || !isWrittenPlainly.has(code)) throw error;
    const theirs = readLastingId(file);
    if (theirs !== undefined) return theirs;
    writeAtOnce(file, `${id}\n`, 0o600);
    return id;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** With less free space nothing works, because git, the ledger and an agent each need some for their own files. */
const MIN_BYTES = 512 * 1024;

/** The first of these folders, existing or not, whose disk is full. */
export function folderWithoutRoom(paths: readonly string[]): string | undefined {
  return paths.map(nearest).find((folder) => {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return bavail * bsize < MIN_BYTES || (files > 0 && ffree === 0);
  });
}

/** Throws before an agent starts on a full disk, because the failure would look like the agent's. */
export function requireRoom(paths: readonly string[]): void {
  const folder = folderWithoutRoom(paths);
  if (folder !== undefined) throw diskFull(`no space left in ${folder}`);
}

function nearest(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearest(dirname(path));
}
