import { relative } from 'node:path';

/** A path as a person here would write it: relative where it leads down from here. */
export function shownPath(path: string): string {
  const near = relative('', path);
  return near === '' || near.startsWith('..') ? path : near;
}
