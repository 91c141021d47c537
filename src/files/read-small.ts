import { readFileSync, statSync } from 'node:fs';

/** The text of a file up to a size; undefined if it cannot be read. */
export function readSmall(path: string, most: number): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= most ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined; // missing or not readable
  }
}
