import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { branchIn } from '../config/repository.ts';
import { gitList } from './git.ts';

/** One checkout of a repository, as git lists it. */
export interface Checkout {
  path: string;
  /** Null in a bare repository and before the first commit. */
  head: string | null;
  /** Null if HEAD is detached. */
  branch: string | null;
  bare: boolean;
  /** The reason, maybe empty; null if it is not locked. */
  locked: string | null;
}

/** All checkouts of a repository; the first is the main one (or the bare repository itself). */
export async function listCheckouts(folder: string): Promise<Checkout[]> {
  return readCheckouts(await gitList(folder, ['worktree', 'list', '--porcelain', '-z']));
}

/** Where a branch is checked out; undefined if nowhere. Without linked checkouts, reading the main one's HEAD is enough. */
export async function checkoutOf(commonDir: string, branch: string): Promise<Checkout | undefined> {
  const only = existsSync(join(commonDir, 'worktrees')) ? undefined : branchIn(commonDir);
  if (only !== undefined && only !== branch) return undefined;
  return (await listCheckouts(commonDir)).find((each) => each.branch === branch);
}

/** False if the folder was deleted by hand, which git does not report for a locked one. */
export function isThere({ path, bare }: Checkout): boolean {
  return bare || existsSync(join(path, '.git'));
}

function readCheckouts(lines: string[]): Checkout[] {
  const checkouts: Checkout[] = [];
  for (const line of lines) {
    const space = line.indexOf(' ');
    const [key, value] = space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
    const current = checkouts.at(-1);
    if (key === 'worktree') {
      checkouts.push({ path: value, head: null, branch: null, bare: false, locked: null });
    } else if (!current) continue;
    else if (key === 'HEAD') current.head = /^0+$/.test(value) ? null : value;
    else if (key === 'branch') current.branch = value.replace(/^refs\/heads\//, '');
    else if (key === 'bare') current.bare = true;
    else if (key === 'locked') current.locked = value;
  }
  return checkouts;
}

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
