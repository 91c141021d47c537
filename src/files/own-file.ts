import { join } from 'node:path';
import { FermataError } from '../schema/error.ts';
import { readBounded } from './read-bounded.ts';
import { pointsOutside } from './real-path.ts';

/** A text file of a project, with its path in the project. */
export interface OwnFile {
  path: string;
  text: string;
}

const MAX_SIZE = 256 * 1024;

/** A file of a project, if it exists. Refuses a link that leads out of the project. */
export function readOwnFile(root: string, path: string): OwnFile | undefined {
  const whole = join(root, path);
  const text = readBounded(whole, MAX_SIZE, 'Make it shorter, or remove it.');
  if (text === undefined) return undefined;
  if (!pointsOutside(root, whole)) return { path, text };
  throw new FermataError(
    'invalid',
    `${whole} is a link to something outside ${root}. Replace it with a file, or remove it.`,
  );
}
