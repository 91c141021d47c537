import { closeSync, lstatSync, openSync, readSync } from 'node:fs';

/** As much as git itself looks at. */
const FIRST_BYTES = 8000;

/**
 * Whether a file has no zero byte at its beginning, by which git tells text from the rest. A link is text: git keeps where
 * it leads, and what lies there may be a pipe without an end.
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
    return false; // not for us
  }
}
