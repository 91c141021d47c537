import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitDir } from '../../../git/refs.ts';
import type { GitEnv } from '../../../git/scratch-index.ts';
import type { Checkout } from '../../../git/worktree-list.ts';

/** Where the content of a checkout is read from. */
export interface CheckoutSource {
  /** Where git is run. */
  folder: string;
  /** Git's own files for it. */
  gitDir: string;
  /** False where its folder was deleted: then there is only what git has. */
  hasFiles: boolean;
  env: GitEnv;
}

/** What a folder is called while it is taken away: a step that another process can take up. */
export const takenAway = (path: string) =>
  join(dirname(path), `.${path.slice(dirname(path).length + 1)}.taken-away`);

/** In its place, or where a removal that was interrupted has put it. Undefined where git has forgotten it. */
export async function checkoutSource(
  commonDir: string,
  { path }: Checkout,
): Promise<CheckoutSource | undefined> {
  for (const folder of [path, takenAway(path)]) {
    if (existsSync(join(folder, '.git')))
      return { folder, gitDir: await gitDir(folder), hasFiles: true, env: {} };
  }
  const own = ownGitDir(commonDir, path);
  if (own === undefined) return undefined;
  return { folder: commonDir, gitDir: own, hasFiles: false, env: { GIT_DIR: own } };
}

/** Git's own directory of a checkout, by what the repository says, not the checkout. */
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
