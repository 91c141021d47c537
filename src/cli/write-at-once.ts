import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { FermataError } from '../schema/error.ts';

/** Writes a file in one step: a reader sees the old text or the new one, whatever happens meanwhile. */
export function writeAtOnce(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
  try {
    const file = openSync(temporary, 'wx', mode);
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
