import { relative } from 'node:path';

/** A path as somebody in this folder would write it: relative where it leads down from there. */
export function shownFrom(folder: string, path: string): string {
  const near = relative(folder, path);
  return near === '' || near.startsWith('..') ? path : near;
}
