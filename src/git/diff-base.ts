import { join } from 'node:path';
import { isText } from '../files/read-bounded.ts';
import { type Base, findBase } from './base-branch.ts';
import { type ByteName, readableName } from './byte-name.ts';
import { type ChangedFile, readChangedFiles } from './changed-files.ts';
import { gitBytes, gitList, gitNames } from './git.ts';
import { gitDirOf } from './located.ts';
import { currentBranch } from './refs.ts';
import { type GitEnv, withScratchIndex } from './scratch-index.ts';
import { noteUntracked } from './stage.ts';

export interface BaseDiff {
  base: Base['base'];
  head: { branch: string | null; commit: string };
  files: ChangedFile[];
  untracked: string[];
  insertions: number;
  deletions: number;
  diff: string;
  /** The diff was too long and is cut; the list of files is complete. */
  truncated: boolean;
}

const MAX_DIFF = 1024 * 1024;
/** The most paths that git gets at once. */
const MAX_PATHS = 1000;
const compare = ['diff', '--no-color', '--no-relative', '--find-renames'];

/** Everything that a checkout has and its base does not: commits, changes, and untracked files. */
export async function diffBase(top: string, feature: string | undefined): Promise<BaseDiff> {
  const [branch, { head: commit, base }, untracked] = await Promise.all([
    currentBranch(top),
    findBase(top, feature),
    gitNames(top, ['ls-files', '-z', '--others', '--exclude-standard']),
  ]);
  return withUntracked(top, untracked, async (env) => {
    const against = base.mergeBase ?? base.commit;
    const [files, patch] = await Promise.all([
      gitList(top, [...compare, '-z', '--raw', '--numstat', against, '--'], { env }).then(readChangedFiles),
      gitBytes(top, [...compare, against, '--'], { env, maxBytes: MAX_DIFF, cut: true }),
    ]);
    const texts = files.filter(({ path, binary }) => binary && isText(join(top, path)));
    const called = await textDiff(top, texts, against, { env, maxBytes: MAX_DIFF - patch.length });
    const sum = (key: 'insertions' | 'deletions') =>
      files.reduce((total, file) => total + (file[key] ?? 0), 0);
    return {
      base,
      head: { branch: branch ?? null, commit },
      files,
      untracked: untracked.map(readableName),
      insertions: sum('insertions'),
      deletions: sum('deletions'),
      diff: `${patch.toString('utf8')}${called.toString('utf8')}`,
      truncated: patch.length + called.length >= MAX_DIFF,
    };
  });
}

/** The diff, as text, of files that the work's own `.gitattributes` declares binary, which would hide their content. */
async function textDiff(
  top: string,
  files: ChangedFile[],
  against: string,
  options: { env: GitEnv; maxBytes: number },
): Promise<Buffer> {
  if (files.length === 0 || options.maxBytes <= 0) return Buffer.alloc(0);
  const paths = files.slice(0, MAX_PATHS).map(({ path }) => `:(top,literal)${path}`);
  return gitBytes(top, [...compare, '--text', against, '--', ...paths], { ...options, cut: true });
}

/** Makes git treat untracked files as new ones. */
async function withUntracked<T>(
  top: string,
  names: ByteName[],
  work: (env: GitEnv) => Promise<T>,
): Promise<T> {
  if (names.length === 0) return work({});
  return withScratchIndex(gitDirOf(top), async (env) => {
    await noteUntracked(top, names, env);
    return work(env);
  });
}
