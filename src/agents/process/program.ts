import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/**
 * The absolute path of a program; undefined if it is not found. Skips relative folders of the PATH, because they would
 * run files from a repository.
 */
export function findProgram(
  name: string,
  env: Record<string, string | undefined>,
  cwd: string,
): string | undefined {
  if (isAbsolute(name) || name.includes('/')) {
    const path = resolve(cwd, name);
    return isProgram(path) ? path : undefined;
  }
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (isAbsolute(folder) && isProgram(path)) return path;
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
