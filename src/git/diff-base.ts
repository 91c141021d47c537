import { join } from 'node:path';
import { isText } from '../files/read-bounded.ts';
import { Refusal } from '../schema/refusal.ts';
import { gitDirOf } from './deaf-environment.ts';
import { type ByteName, type GitEnv, gitBytes, gitList, gitNames, readableName, tryGit } from './git.ts';
import { commitOf, currentBranch, forkOf } from './refs.ts';
import { noteUntracked } from './stage.ts';
import { withScratchIndex } from './status.ts';

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

/** What is checked out, and what it is compared with. */
interface Base {
  head: string;
  base: {
    /** Git's name for it: `login`, or `origin/main` if only the remote has it. */
    branch: string;
    commit: string;
    /** Null in a shallow clone that does not reach it, and if the histories have nothing in common. */
    mergeBase: string | null;
  };
}

/** The branch that work is compared with: the feature branch of a worktree, else main, master or the remote's default branch. */
async function findBase(folder: string, feature: string | undefined): Promise<Base> {
  const local = [...(feature === undefined ? [] : [feature]), 'main', 'master'];
  const found =
    (await firstOf(folder, 'refs/heads/', local)) ??
    (await firstOf(folder, 'refs/remotes/', await remoteDefaults(folder)));
  if (found) return found;
  if ((await commitOf(folder, 'HEAD')) === undefined) throw noCommit(folder);
  throw new Refusal(
    'no_base',
    'No base branch found: there is no main or master, and no remote with a default branch.',
    {
      suggestion: 'Run "git fetch origin && git remote set-head origin --auto".',
      code: 'not_found',
    },
  );
}

async function firstOf(folder: string, prefix: string, branches: string[]): Promise<Base | undefined> {
  for (const branch of branches) {
    const fork = await forkOf(folder, 'HEAD', `${prefix}${branch}`);
    if (fork) return { head: fork.tip, base: { branch, commit: fork.other, mergeBase: fork.base ?? null } };
  }
  return undefined;
}

async function remoteDefaults(folder: string): Promise<string[]> {
  const { code, stdout } = await tryGit(folder, ['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']);
  const named = code === 0 ? [stdout.toString('utf8').trim().replace('refs/remotes/', '')] : [];
  return [...named, 'origin/main', 'origin/master'];
}

function noCommit(folder: string): Refusal {
  return new Refusal('no_commit', `${folder} has no commits yet.`, {
    suggestion: 'Commit something first.',
  });
}

/** One file that differs between two states. */
interface ChangedFile {
  path: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type_changed' | 'unmerged';
  /** Its previous name, if it was renamed or copied. */
  from?: string;
  /** Null for a binary file. */
  insertions: number | null;
  deletions: number | null;
  binary: boolean;
}

const changes: Record<string, ChangedFile['change']> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type_changed',
  U: 'unmerged',
};

/** Reads `git diff -z --raw --numstat`: first the kind of change of each file, then the number of lines. */
function readChangedFiles(parts: string[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (let at = 0; at < parts.length; ) {
    const part = parts[at] ?? '';
    if (part.startsWith(':')) {
      const letter = part.slice(part.lastIndexOf(' ') + 1)[0] ?? '';
      const two = letter === 'R' || letter === 'C';
      const path = parts[at + (two ? 2 : 1)] ?? '';
      const from = two ? { from: parts[at + 1] ?? '' } : {};
      const change = changes[letter] ?? 'modified';
      files.set(path, { path, change, ...from, insertions: 0, deletions: 0, binary: false });
      at += two ? 3 : 2;
      continue;
    }
    const [insertions = '', deletions = '', name = ''] = part.split('\t');
    const path = name === '' ? (parts[at + 2] ?? '') : name;
    const file = files.get(path);
    if (file) Object.assign(file, countsOf(insertions, deletions));
    at += name === '' ? 3 : 1;
  }
  return [...files.values()];
}

function countsOf(insertions: string, deletions: string): Partial<ChangedFile> {
  if (insertions === '-') return { insertions: null, deletions: null, binary: true };
  return { insertions: Number(insertions), deletions: Number(deletions) };
}
