import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FermataError } from '../../schema/error.ts';

const LARGEST = 4 * 1024 * 1024;

export const prdPath = (root: string) => join(root, 'PRD.md');

/** Empty where there is none. */
export function readPrd(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length <= LARGEST) return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new FermataError('invalid', `${path} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  throw new FermataError('invalid', `${path} is larger than 4 MB. Split it.`);
}
