import { join } from 'node:path';
import { readBounded } from '../../files/read-bounded.ts';

const MAX_SIZE = 4 * 1024 * 1024;

export const prdPath = (root: string) => join(root, 'PRD.md');

/** Empty if the file does not exist. */
export const readPrd = (path: string) => readBounded(path, MAX_SIZE, 'Split it.') ?? '';
