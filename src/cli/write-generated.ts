import { readFileSync } from 'node:fs';
import { writeFile } from '../files/write-at-once.ts';
import { FermataError } from '../schema/error.ts';

/**
 * Writes a file that Fermata generates, atomically: a reader sees the old text or the new one. Leaves a file alone that
 * does not begin with `firstLine`, because somebody else wrote it.
 */
export function writeGenerated(path: string, text: string, firstLine: string): void {
  const before = readIfThere(path);
  if (before !== undefined && !before.replace(/^\uFEFF/, '').startsWith(firstLine)) {
    throw new FermataError(
      'conflict',
      `${path} was not written by Fermata (its first line is not "${firstLine}…"), so it was not changed. Move it away and try again.`,
    );
  }
  writeFile(path, text);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new FermataError('conflict', `${path} cannot be read (${message}). Move it away and try again.`, {
      cause: error,
    });
  }
}
