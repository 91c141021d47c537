import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { pointsOutside } from '../../files/real-path.ts';
import { FermataError } from '../../schema/error.ts';

/** The project folder that a caller named. Throws if it does not exist or is outside the project. */
export function folderInside(root: string, path: string): string {
  const folder = resolve(root, path);
  if (existsSync(folder) && !pointsOutside(root, folder)) return folder;
  throw new FermataError('not_found', `The project has no folder "${path.slice(0, 200)}".`);
}

/** The same for a folder that may not exist yet. */
export function newFolderInside(root: string, path: string): string {
  const folder = resolve(root, path);
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  if (isBelow(root, folder) && !pointsOutside(root, there)) return folder;
  throw new FermataError('invalid', `"${path.slice(0, 200)}" is not a folder inside of the project.`);
}

/** Compares the paths only and does not follow links. */
export function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
