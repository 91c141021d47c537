import { createHash, randomUUID } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSmall } from '../files/read-small.ts';
import { writeAtOnce } from '../files/write-at-once.ts';
import { asDiskFull, diskFull } from '../schema/disk-full.ts';

/** The name of a clone, in a file of its git directory, which `git clone` does not copy; undefined if it has none. */
export function readCloneId(commonDir: string): string | undefined {
  const id = readSmall(fileIn(commonDir), 100)?.trim();
  return id && /^[0-9a-f-]{36}$/.test(id) ? id : undefined;
}

/** The name of a clone, which it gets now if it has none. */
export function cloneId(commonDir: string): string {
  try {
    return readCloneId(commonDir) ?? nameClone(commonDir);
  } catch (error) {
    if (!asDiskFull(error)) throw error;
    throw diskFull(`the name of this clone could not be written to ${fileIn(commonDir)}`, { cause: error });
  }
}

/** Several processes may do this at once: a link is made by one of them only, and the others take its name. */
function nameClone(commonDir: string): string {
  const file = fileIn(commonDir);
  const id = randomUUID();
  const temporary = `${file}.${id}`;
  try {
    writeFileSync(temporary, `${id}\n`, { flag: 'wx', mode: 0o600 });
    linkSync(temporary, file);
    return id;
  } catch {
    const theirs = readCloneId(commonDir);
    if (theirs !== undefined) return theirs;
    // The file has something else in it, or this file system has no links.
    writeAtOnce(file, `${id}\n`, 0o600);
    return id;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Gives a copy of a whole folder a name of its own, which is the same for all processes that notice the copy at once. */
export function renameCopy(commonDir: string, id: string): string {
  const hex = createHash('sha256').update(`${id}\n${commonDir}`).digest('hex');
  const own = hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  writeAtOnce(fileIn(commonDir), `${own}\n`, 0o600);
  return own;
}

const fileIn = (commonDir: string) => join(commonDir, 'fermata-clone');
