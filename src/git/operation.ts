import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const signs: [file: string, operation: string][] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

/** The unfinished operation in a checkout; undefined if there is none. */
export function operationIn(gitDir: string): string | undefined {
  return signs.find(([file]) => existsSync(join(gitDir, file)))?.[1];
}

/**
 * The unfinished rebase or bisection of a branch, which is not checked out meanwhile. `except` is the path of a
 * checkout to ignore.
 */
export function operationOn(commonDir: string, branch: string, except?: string): string | undefined {
  for (const gitDir of gitDirs(commonDir)) {
    const isIt = (name: string) => [branch, `refs/heads/${branch}`].includes(read(join(gitDir, name)));
    if (except !== undefined && read(join(gitDir, 'gitdir')) === join(except, '.git')) continue;
    if (['rebase-merge/head-name', 'rebase-apply/head-name'].some(isIt)) return 'rebase';
    if (isIt('BISECT_START')) return 'bisect';
  }
  return undefined;
}

function gitDirs(commonDir: string): string[] {
  const linked = join(commonDir, 'worktrees');
  return [commonDir, ...(existsSync(linked) ? readdirSync(linked).map((name) => join(linked, name)) : [])];
}

const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : '');
