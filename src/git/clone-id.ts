import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { lastingId, readLastingId } from '../files/lasting-id.ts';
import { writeAtOnce } from '../files/write-at-once.ts';
import { asDiskFull, diskFull } from '../schema/disk-full.ts';

/** The id of a clone, from a file in its git directory, which `git clone` does not copy; undefined if it has none. */
export const readCloneId = (commonDir: string): string | undefined => readLastingId(fileIn(commonDir));

/** The id of a clone; creates one if it has none. */
export function cloneId(commonDir: string): string {
  try {
    return lastingId(fileIn(commonDir));
  } catch (error) {
    if (!asDiskFull(error)) throw error;
    throw diskFull(`the name of this clone could not be written to ${fileIn(commonDir)}`, { cause: error });
  }
}

/** Gives a copied folder its own id, the same for all processes that notice the copy at once. */
export function renameCopy(commonDir: string, id: string): string {
  const hex = createHash('sha256').update(`${id}\n${commonDir}`).digest('hex');
  const own = hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  writeAtOnce(fileIn(commonDir), `${own}\n`, 0o600);
  return own;
}

const fileIn = (commonDir: string) => join(commonDir, 'fermata-clone');
