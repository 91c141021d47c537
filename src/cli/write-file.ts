import { writeAtOnce } from '../files/write-at-once.ts';
import { FermataError } from '../schema/error.ts';

/** Writes a file in one step, or says why it cannot be. */
export function writeFile(path: string, text: string): void {
  try {
    writeAtOnce(path, text);
  } catch (error) {
    throw new FermataError('read_only', `Cannot write ${path}: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
