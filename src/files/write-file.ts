import { FermataError } from '../schema/error.ts';
import { writeAtOnce } from './write-at-once.ts';

/** Writes a file atomically, or says why that is impossible. */
export function writeFile(path: string, text: string): void {
  try {
    writeAtOnce(path, text);
  } catch (error) {
    throw new FermataError('read_only', `Cannot write ${path}: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
