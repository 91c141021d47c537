import { readFileSync, statSync } from 'node:fs';
import { FermataError } from '../schema/error.ts';

/**
 * The text of a file up to a size; undefined if it does not exist. A repository comes from outside, so the file may be a
 * device, a pipe, or endless; those are refused with `advice`.
 */
export function readBounded(path: string, most: number, advice: string): string | undefined {
  try {
    const there = statSync(path);
    if (there.isFile() && there.size <= most) return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new FermataError('invalid', `${path} cannot be read: ${message}.`, { cause: error });
  }
  throw new FermataError('invalid', `${path} is not a file of at most ${most} bytes. ${advice}`);
}
