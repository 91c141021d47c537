import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { branchIn, findRepository } from '../config/repository.ts';
import { tryGit } from './git.ts';

/** The commit of a branch; undefined if the branch does not exist. */
export async function branchTip(folder: string, branch: string): Promise<string | undefined> {
  return commitOf(folder, `refs/heads/${branch}`);
}

/** The same in a repository that only Fermata writes. Reads the file of the branch, and starts git only if it has none. */
export async function ownBranchTip(commonDir: string, branch: string): Promise<string | undefined> {
  return looseRef(join(commonDir, 'refs/heads', branch)) ?? branchTip(commonDir, branch);
}

function looseRef(path: string): string | undefined {
  try {
    return /^([0-9a-f]{40}|[0-9a-f]{64})\n$/.exec(readFileSync(path, 'latin1'))?.[1];
  } catch {
    return undefined; // packed, or missing
  }
}

/** The commit of a revision; undefined if there is none. */
export async function commitOf(
  folder: string,
  revision: string,
  env?: Record<string, string>,
): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { code, stdout } = await tryGit(folder, args, { env: env ?? {} });
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

/** The current branch; undefined if HEAD is detached. It may have no commit yet. */
export async function currentBranch(folder: string): Promise<string | undefined> {
  const repository = findRepository(folder);
  const written = repository && branchIn(repository.gitDir);
  if (written !== undefined) return written;
  const { code, stdout } = await tryGit(folder, ['symbolic-ref', '--quiet', 'HEAD']);
  const name = stdout.toString('utf8').trim();
  return code === 0 && name.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : undefined;
}

/** Two commits and their common ancestor, if they have one. */
export interface Fork {
  tip: string;
  other: string;
  base: string | undefined;
}

/** Resolves two revisions and finds their common ancestor; undefined if one of them is not a commit. */
export async function forkOf(folder: string, tip: string, other: string): Promise<Fork | undefined> {
  return (await forksOf(folder, tip, [other]))?.[0];
}

/** The same for one revision and several others; undefined if any of them is not a commit. */
export async function forksOf(
  folder: string,
  tip: string,
  others: readonly string[],
): Promise<Fork[] | undefined> {
  const { code, stdout } = await tryGit(folder, ['rev-parse', ...others.map((other) => `${tip}...${other}`)]);
  if (code !== 0) return undefined;
  // For each pair git prints the other commit, the tip, and then the common ancestors with a ^.
  const pairs = stdout.toString('utf8').matchAll(/^([0-9a-f]+)\n([0-9a-f]+)\n(?:\^([0-9a-f]+)\n)?/gm);
  return [...pairs].map(([, other = '', own = '', base]) => ({ tip: own, other, base }));
}

/** Whether `other` contains everything in `commit`. */
export async function isAncestor(folder: string, commit: string, other: string): Promise<boolean> {
  return (
    (await tryGit(folder, ['merge-base', '--is-ancestor', '--end-of-options', commit, other])).code === 0
  );
}

/** Moves a ref, but only if it is still at `from` (empty: if it does not exist yet). */
export async function moveRef(
  folder: string,
  ref: string,
  to: string,
  from: string,
  why: string,
): Promise<boolean> {
  return (await tryGit(folder, ['update-ref', '-m', why, ref, to, from])).code === 0;
}

/** Whether this is a valid branch name (the rules of `git check-ref-format --branch`). */
export function isBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name === '@' || name.startsWith('-') || name.length > 1000)
    return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what git refuses
  if (/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\.$|\/$|\/\//.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

const trunks = new Set(['main', 'master', 'trunk', 'develop']);

/** Branches that agents should not merge into by themselves; each plan gets its own branch there. */
export const isTrunk = (branch: string) => trunks.has(branch);
