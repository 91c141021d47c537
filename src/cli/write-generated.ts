import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { FermataError } from '../schema/error.ts';

/**
 * Writes a file that Fermata makes, in one step: a reader sees the old text or the new one. A file that does not begin
 * with `firstLine` is somebody else's and is left alone.
 */
export function writeGenerated(path: string, text: string, firstLine: string): void {
  const before = readIfThere(path);
  if (before !== undefined && !before.replace(/^\uFEFF/, '').startsWith(firstLine)) {
    throw new FermataError(
      'conflict',
      `${path} was not made by Fermata (its first line is not "${firstLine}…") and was left as it is. Move it away and try again.`,
    );
  }
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = openSync(temporary, 'wx', 0o644);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new FermataError('read_only', `Cannot write ${path}: ${(error as Error).message}.`, {
      cause: error,
    });
  }
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
