import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FermataError } from '../schema/error.ts';

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
