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

/** What somebody is in the middle of in a checkout; undefined where nothing. */
export function operationIn(gitDir: string): string | undefined {
  return signs.find(([file]) => existsSync(join(gitDir, file)))?.[1];
}

/** What is going on with a branch that is not checked out while it goes on: a rebase or a bisection. */
export function operationOn(commonDir: string, branch: string): string | undefined {
  const linked = join(commonDir, 'worktrees');
  const gitDirs = [
    commonDir,
    ...(existsSync(linked) ? readdirSync(linked).map((name) => join(linked, name)) : []),
  ];
  const isIt = (path: string) =>
    existsSync(path) && [branch, `refs/heads/${branch}`].includes(readFileSync(path, 'utf8').trim());
  for (const gitDir of gitDirs) {
    if (['rebase-merge', 'rebase-apply'].some((folder) => isIt(join(gitDir, folder, 'head-name'))))
      return 'rebase';
    if (isIt(join(gitDir, 'BISECT_START'))) return 'bisect';
  }
  return undefined;
}
