import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitDirOf } from '../../../git/deaf-environment.ts';
import type { GitEnv } from '../../../git/git.ts';
import type { Checkout } from '../../../git/worktree-list.ts';

/** Where the content of a checkout is read from. */
export interface CheckoutSource {
  /** Where git is run. */
  folder: string;
  /** Git's own directory for it. */
  gitDir: string;
  /** False if its folder was deleted; then only git's files are left. */
  hasFiles: boolean;
  env: GitEnv;
}

/** The name of a folder while it is being removed, so that another process can continue the removal. */
export const takenAway = (path: string) =>
  join(dirname(path), `.${path.slice(dirname(path).length + 1)}.taken-away`);

/** In its place, or where an interrupted removal put it. Undefined if git has forgotten it. */
export function checkoutSource(commonDir: string, { path }: Checkout): CheckoutSource | undefined {
  for (const folder of [path, takenAway(path)]) {
    if (existsSync(join(folder, '.git')))
      return { folder, gitDir: gitDirOf(folder), hasFiles: true, env: {} };
  }
  const own = ownGitDir(commonDir, path);
  if (own === undefined) return undefined;
  return { folder: commonDir, gitDir: own, hasFiles: false, env: { GIT_DIR: own } };
}

/** Git's own directory of a checkout, according to the repository, not to the checkout. */
export function ownGitDir(commonDir: string, path: string): string | undefined {
  const all = join(commonDir, 'worktrees');
  const names = existsSync(all) ? readdirSync(all) : [];
  return names
    .map((name) => join(all, name))
    .find((folder) => {
      const file = join(folder, 'gitdir');
      return existsSync(file) && readFileSync(file, 'utf8').trim() === join(path, '.git');
    });
}
