import { join, relative, sep } from 'node:path';
import { realPath } from './real-path.ts';

/** Whether an existing path leads out of a folder through a link. */
export function pointsOutside(folder: string, path: string): boolean {
  const [real, target] = [realPath(folder), realPath(path)];
  const way = relative(real, target);
  return way === '..' || way.startsWith(`..${sep}`) || join(real, way) !== target;
}
