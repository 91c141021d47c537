import { readFileSync, statSync } from 'node:fs';
import { FermataError } from '../schema/error.ts';

/**
 * The text of a file of at most so many bytes; undefined where there is none. A repository is somebody else's: what
 * stands there may be a device, a pipe, or endless, and is refused with `advice`.
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
