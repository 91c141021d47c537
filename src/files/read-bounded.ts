import { closeSync, lstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FermataError } from '../schema/error.ts';
import { throwIfScarce } from '../schema/system-fault.ts';
import { pointsOutside } from './real-path.ts';

/**
 * The text of a file up to a size; undefined if it does not exist. A repository comes from outside, so the file may be a
 * device, a pipe, or endless; those are refused with `advice`.
 */
export function readBounded(path: string, most: number, advice: string): string | undefined {
  try {
    const there = statSync(path);
    if (there.isFile() && there.size <= most) return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throwIfScarce(error);
    throw new FermataError('invalid', `${path} cannot be read: ${message}.`, { cause: error });
  }
  throw new FermataError('invalid', `${path} is not a file of at most ${most} bytes. ${advice}`);
}

/** More than any of git's small files has; a file of a repository may be endless, or a pipe. */
const MAX_BYTES = 1024 * 1024;

/** The text of a file up to a size; undefined if it cannot be read. */
export function readSmall(path: string, most = MAX_BYTES): string | undefined {
  try {
    return readBounded(path, most, '');
  } catch (error) {
    throwIfScarce(error);
    return undefined;
  }
}

/** Git checks the same number of bytes. */
const FIRST_BYTES = 8000;

/**
 * Whether a file has no NUL byte at its beginning, which is git's test for text. A link counts as text: git stores its
 * target, which may be an endless pipe.
 */
export function isText(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return found?.isSymbolicLink() ?? false;
  const first = Buffer.alloc(FIRST_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      return !first.subarray(0, readSync(file, first)).includes(0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throwIfScarce(error);
    return false; // not readable
  }
}

/** The text of a response; undefined if it is larger than `most`. An endless one never fills the memory. */
export async function boundedBody({ body }: Response, most: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A text file of a project, with its path in the project. */
export interface OwnFile {
  path: string;
  text: string;
}

const MAX_SIZE = 256 * 1024;

/** A file of a project, if it exists. Refuses a link that leads out of the project. */
export function readOwnFile(root: string, path: string): OwnFile | undefined {
  const whole = join(root, path);
  const text = readBounded(whole, MAX_SIZE, 'Make it shorter, or remove it.');
  if (text === undefined) return undefined;
  if (!pointsOutside(root, whole)) return { path, text };
  throw new FermataError(
    'invalid',
    `${whole} is a link to something outside ${root}. Replace it with a file, or remove it.`,
  );
}
