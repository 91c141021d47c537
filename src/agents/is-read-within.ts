import { dirname, relative, resolve } from 'node:path';
import { realPath } from '../files/real-path.ts';
import { isRecord } from '../ledger/forms/record.ts';

/** Tools that only read. */
const looking = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead']);

/** Whether a tool only reads, and only inside the folder. A person has to allow everything else. */
export function isReadWithin(folder: string, tool: string, input: unknown): boolean {
  if (tool === 'TodoWrite') return true;
  if (!looking.has(tool) || !isRecord(input)) return false;
  const paths = [input.file_path, input.path, input.notebook_path].filter((path) => path !== undefined);
  const patterns = [tool === 'Glob' ? input.pattern : undefined, input.glob].filter(
    (each) => each !== undefined,
  );
  return (
    paths.every((path) => typeof path === 'string' && isInside(folder, path)) &&
    patterns.every((each) => typeof each === 'string' && isInside(folder, each) && !mayEscape(each))
  );
}

/** Matches a pattern whose alternatives or character classes may spell `..` or the root. */
function mayEscape(pattern: string): boolean {
  return pattern.includes('..') || pattern.includes('[') || /[{,]\s*[./~]/.test(pattern);
}

/** Whether a path given by an agent stays in the folder, even through links. */
export function isInside(folder: string, path: string): boolean {
  if (path.includes('\0') || path.startsWith('~')) return false;
  const way = relative(real(folder), real(resolve(folder, path.replace(/[*?[{].*$/s, ''))));
  return way === '' || (!way.startsWith('..') && resolve(way) !== way && !path.split('/').includes('..'));
}

/** Resolves links. For a path that does not exist, resolves the nearest folder that does. */
function real(path: string): string {
  try {
    return realPath(path);
  } catch {
    return path === dirname(path) ? path : resolve(real(dirname(path)), relative(dirname(path), path));
  }
}
