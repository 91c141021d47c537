import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../git/git.ts';

/**
 * By which it is known whether a file is still as it was when a person approved of it: of its bytes, however many, or of
 * where a link leads. Undefined where there is no file.
 */
export async function contentMark(checkout: string, path: string): Promise<string | undefined> {
  const file = join(checkout, path);
  const found = lstatSync(file, { throwIfNoEntry: false });
  const hash = ['hash-object', '--no-filters'];
  if (found?.isSymbolicLink())
    return short(git(checkout, [...hash, '--stdin'], { input: readlinkSync(file) }));
  return found?.isFile() ? short(git(checkout, [...hash, '--', file])) : undefined;
}

const short = async (hash: Promise<string>) => (await hash).slice(0, 8);
