import { readFileSync, statSync } from 'node:fs';

/** More than any of git's small files has; a file of a repository may be endless, or a pipe. */
const MAX_BYTES = 1024 * 1024;

/** The text of a file up to a size; undefined if it cannot be read. */
export function readSmall(path: string, most = MAX_BYTES): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= most ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined; // missing or not readable
  }
}
