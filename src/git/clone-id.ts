import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSmall } from '../files/read-small.ts';

/** The name of a clone, in a file of its git directory, which `git clone` does not copy; undefined if it has none. */
export function readCloneId(commonDir: string): string | undefined {
  const id = readSmall(fileIn(commonDir), 100)?.trim();
  return id && /^[0-9a-f-]{36}$/.test(id) ? id : undefined;
}

/** The name of a clone, which it gets now if it has none. */
export function cloneId(commonDir: string): string {
  return readCloneId(commonDir) ?? renameClone(commonDir);
}

/** Gives a clone a new name, as a copy of a whole folder needs. */
export function renameClone(commonDir: string): string {
  const id = randomUUID();
  rmSync(fileIn(commonDir), { force: true });
  try {
    writeFileSync(fileIn(commonDir), `${id}\n`, { flag: 'wx', mode: 0o600 });
    return id;
  } catch (error) {
    // Another process was faster.
    const theirs = readCloneId(commonDir);
    if (theirs !== undefined) return theirs;
    throw error;
  }
}

const fileIn = (commonDir: string) => join(commonDir, 'fermata-clone');
