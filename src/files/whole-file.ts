import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { FermataError } from '../schema/error.ts';
import { flushFolder } from './write-at-once.ts';

/**
 * Makes a new file that is either complete and on disk or not there, and that only its owner can read. `fill` gets the
 * path of an empty file to fill.
 */
export async function makeWholeFile<T>(path: string, fill: (temporary: string) => Promise<T>): Promise<T> {
  if (existsSync(path))
    throw new FermataError('conflict', `${path} already exists, so it was not changed. Choose another name.`);
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    closeSync(openSync(temporary, 'wx', 0o600));
    const result = await fill(temporary);
    const file = openSync(temporary, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    flushFolder(dirname(path));
    return result;
  } finally {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(temporary + end, { force: true });
  }
}
