import { join, relative, sep } from 'node:path';
import { realPath } from './real-path.ts';

/** Whether a path that exists is reached through a link out of a folder. */
export function leadsOut(folder: string, path: string): boolean {
  const [real, target] = [realPath(folder), realPath(path)];
  const way = relative(real, target);
  return way === '..' || way.startsWith(`..${sep}`) || join(real, way) !== target;
}
