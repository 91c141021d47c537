import { relative } from 'node:path';

/** A path as a person in this folder would write it: relative if it is inside the folder. */
export function shownFrom(folder: string, path: string): string {
  const near = relative(folder, path);
  return near === '' || near.startsWith('..') ? path : near;
}
