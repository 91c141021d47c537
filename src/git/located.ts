import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findRepository } from '../config/repository.ts';

/** The repository that a git works on, given explicitly so that git never searches for one. */
export interface Located {
  gitDir: string;
  commonDir: string;
  /** Undefined for a git directory that the caller named. */
  top: string | undefined;
}

/** The repository of a folder; without one, where `git init` would create it. */
export function locate(folder: string): Located {
  const found = findRepository(folder);
  if (found?.top === folder) return found;
  if (isGitDirectory(folder)) return { gitDir: folder, commonDir: folder, top: undefined };
  if (found) return found;
  const gitDir = join(folder, '.git');
  return { gitDir, commonDir: gitDir, top: undefined };
}

/** Git's own directory for the checkout around a folder: the one that we pass to git. */
export const gitDirOf = (folder: string): string => locate(folder).gitDir;

export function locationEnvironment({ gitDir, commonDir, top }: Located): Record<string, string> {
  return {
    GIT_DIR: gitDir,
    ...(gitDir === commonDir ? {} : { GIT_COMMON_DIR: commonDir }),
    ...(top === undefined ? {} : { GIT_WORK_TREE: top }),
  };
}

/** Commands about a whole repository get git's common directory, which may be a bare repository. */
function isGitDirectory(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
}
