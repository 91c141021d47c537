import { FermataError } from '../schema/error.ts';
import { writeAtOnce } from './write-at-once.ts';

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
