import { readFileSync, statSync } from 'node:fs';

/** The text of a file of at most so many bytes; undefined where there is none that can be read. */
export function readSmall(path: string, most: number): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= most ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined; // not there, or not for us
  }
}
