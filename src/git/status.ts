import { type ByteName, readableName } from './byte-name.ts';
import { gitNames } from './git.ts';
import { showHiddenFiles } from './hidden-files.ts';
import { gitDir } from './refs.ts';
import { type GitEnv, withScratchIndex } from './scratch-index.ts';

export interface CheckoutStatus {
  /** Tracked files that are changed, staged or not. */
  changed: string[];
  untracked: string[];
}

/** One file as `git status` lists it: the letters compare HEAD with the index, and the index with the file. */
export interface StatusEntry {
  path: ByteName;
  staged: string;
  unstaged: string;
}

/** Which index is meant, and what else git is told (`-c name=value`). */
export interface IndexOptions {
  env?: GitEnv;
  config?: string[];
}

/** What a person would call uncommitted, also in files that git was told not to look at. */
export async function checkoutStatus(folder: string): Promise<CheckoutStatus> {
  const entries = await withScratchIndex(await gitDir(folder), async (env) => {
    await showHiddenFiles(folder, env);
    return statusEntries(folder, { env });
  });
  const pick = (wanted: boolean) =>
    entries.filter((entry) => isUntracked(entry) === wanted).map(({ path }) => readableName(path));
  return { changed: pick(false), untracked: pick(true) };
}

export async function statusEntries(
  folder: string,
  { env = {}, config = [] }: IndexOptions = {},
): Promise<StatusEntry[]> {
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'];
  return (await gitNames(folder, [...config, ...args], { env })).map((part) => ({
    path: part.slice(3),
    staged: part[0] ?? '',
    unstaged: part[1] ?? '',
  }));
}

export const isUntracked = ({ staged }: StatusEntry) => staged === '?';
