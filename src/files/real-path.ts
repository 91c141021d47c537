import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

/**
 * The real path of an existing file, without links. Only the system's own function also corrects the case of letters on a
 * case-insensitive disk, so that two spellings of one folder stay one folder.
 */
export const realPath = (path: string): string => realpathSync.native(path);

/** The absolute path of an existing file, spelled as on disk, and with its links. */
export function asOnDisk(path: string): string {
  const above = dirname(path);
  if (above === path) return path;
  const [name, real] = [basename(path), basename(realPath(path))];
  return join(asOnDisk(above), folded(name) === folded(real) ? real : name);
}

const folded = (name: string) => name.normalize('NFC').toLowerCase();

/** Whether an existing path leads out of a folder through a link. */
export function pointsOutside(folder: string, path: string): boolean {
  const [real, target] = [realPath(folder), realPath(path)];
  const way = relative(real, target);
  return way === '..' || way.startsWith(`..${sep}`) || join(real, way) !== target;
}

/** A path as a person in this folder would write it: relative if it is inside the folder. */
export function shownPath(path: string, folder = ''): string {
  const near = relative(folder, path);
  return near === '' || near.startsWith('..') ? path : near;
}
