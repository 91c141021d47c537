import { Refusal } from '../refusal.ts';
import { type Base, findBase } from './base-branch.ts';
import { type ChangedFile, readChangedFiles } from './changed-files.ts';
import { gitBytes, gitList, tryGit } from './git.ts';
import { commitOf, currentBranch, gitDir } from './refs.ts';
import { type GitEnv, withScratchIndex } from './scratch-index.ts';

export interface BaseDiff {
  base: Base & { mergeBase: string | null };
  head: { branch: string | null; commit: string };
  files: ChangedFile[];
  untracked: string[];
  insertions: number;
  deletions: number;
  diff: string;
  /** The text of the diff was longer and is cut off; the files are all there. */
  truncated: boolean;
}

const MOST_DIFF = 1024 * 1024;
const compare = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--no-relative', '--find-renames'];

/** Everything that a checkout has and its base has not: commits, changes, and files that git does not track yet. */
export async function diffBase(top: string, feature: string | undefined): Promise<BaseDiff> {
  const commit = await commitOf(top, 'HEAD');
  if (commit === undefined) throw noCommit(top);
  const [branch, base, untracked] = await Promise.all([
    currentBranch(top),
    findBase(top, feature),
    gitList(top, ['ls-files', '-z', '--others', '--exclude-standard']),
  ]);
  const mergeBase = await commonAncestor(top, base.commit, commit);
  return withUntracked(top, untracked.length > 0, async (env) => {
    const against = mergeBase ?? base.commit;
    const [files, patch] = await Promise.all([
      gitList(top, [...compare, '-z', '--raw', '--numstat', against, '--'], { env }).then(readChangedFiles),
      gitBytes(top, [...compare, against, '--'], { env, maxBytes: MOST_DIFF, cut: true }),
    ]);
    const sum = (key: 'insertions' | 'deletions') =>
      files.reduce((total, file) => total + (file[key] ?? 0), 0);
    return {
      base: { ...base, mergeBase },
      head: { branch: branch ?? null, commit },
      files,
      untracked,
      insertions: sum('insertions'),
      deletions: sum('deletions'),
      diff: patch.toString('utf8'),
      truncated: patch.length >= MOST_DIFF,
    };
  });
}

/** Null in a shallow clone that does not reach back to it, and where the histories have nothing in common. */
async function commonAncestor(top: string, base: string, head: string): Promise<string | null> {
  const { code, stdout } = await tryGit(top, ['merge-base', base, head]);
  return code === 0 ? stdout.toString('utf8').trim() : null;
}

/** Lets git see untracked files as new ones. */
async function withUntracked<T>(top: string, any: boolean, work: (env: GitEnv) => Promise<T>): Promise<T> {
  if (!any) return work({});
  return withScratchIndex(await gitDir(top), async (env) => {
    await tryGit(top, ['add', '--sparse', '--intent-to-add', '--', '.'], { env });
    return work(env);
  });
}

function noCommit(top: string): Refusal {
  return new Refusal('no_commit', `There is no commit yet in ${top}.`, {
    suggestion: 'Commit something first.',
  });
}
