import { closeSync, lstatSync, openSync, readSync } from 'node:fs';

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
  } catch {
    return false; // not readable
  }
}
