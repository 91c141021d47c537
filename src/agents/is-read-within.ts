import { dirname, relative, resolve } from 'node:path';
import { realPath } from '../files/real-path.ts';
import { isRecord } from '../ledger/forms/record.ts';

/** Tools that only look. */
const looking = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead']);

/** Whether a tool only looks, and only at what is in the folder: everything else is a person's to allow. */
export function isReadWithin(folder: string, tool: string, input: unknown): boolean {
  if (tool === 'TodoWrite') return true;
  if (!looking.has(tool) || !isRecord(input)) return false;
  const paths = [input.file_path, input.path, input.notebook_path].filter((path) => path !== undefined);
  const patterns = [tool === 'Glob' ? input.pattern : undefined, input.glob].filter(
    (each) => each !== undefined,
  );
  return (
    paths.every((path) => typeof path === 'string' && isInside(folder, path)) &&
    patterns.every((each) => typeof each === 'string' && isInside(folder, each) && !leadsAstray(each))
  );
}

/** A pattern whose alternatives or character classes may spell `..` or the root. */
function leadsAstray(pattern: string): boolean {
  return pattern.includes('..') || pattern.includes('[') || /[{,]\s*[./~]/.test(pattern);
}

/** Whether a path, as an agent gives it, stays in the folder, through links too. */
export function isInside(folder: string, path: string): boolean {
  if (path.includes('\0') || path.startsWith('~')) return false;
  const way = relative(real(folder), real(resolve(folder, path.replace(/[*?[{].*$/s, ''))));
  return way === '' || (!way.startsWith('..') && resolve(way) !== way && !path.split('/').includes('..'));
}

/** Through links; what does not exist is judged by the nearest folder that does. */
function real(path: string): string {
  try {
    return realPath(path);
  } catch {
    return path === dirname(path) ? path : resolve(real(dirname(path)), relative(dirname(path), path));
  }
}
