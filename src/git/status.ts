import { copyFileSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inScratchFolder } from '../files/scratch-folder.ts';
import { Refusal } from '../schema/refusal.ts';
import { gitDirOf } from './deaf-environment.ts';
import { type ByteName, type GitEnv, gitNames, readableName } from './git.ts';
import { rereadFiles } from './reread-files.ts';

export interface CheckoutStatus extends Head {
  /** Changed tracked files, staged or not. */
  changed: string[];
  untracked: string[];
  /** Files of git attributes that are in the folder and in no commit: see `refuseOwnAttributes`. */
  attributes: string[];
}

interface Head {
  /** The commit that is checked out; undefined before the first one. */
  commit: string | undefined;
  /** Undefined if HEAD is detached. */
  branch: string | undefined;
}

/** One file as `git status` lists it: the letters compare HEAD with the index, and the index with the file. */
export interface StatusEntry {
  path: ByteName;
  staged: string;
  unstaged: string;
}

/** Which index to use, and further options for git (`-c name=value`). */
export interface IndexOptions {
  env?: GitEnv;
  config?: string[];
}

export interface StatusOptions extends IndexOptions {
  /** Also lists ignored files, and ignored folders instead of the files in them. */
  withIgnored?: boolean;
}

/** What a person would call uncommitted, including files that git was told to ignore changes in. */
export async function checkoutStatus(folder: string): Promise<CheckoutStatus> {
  const { entries, ignored, ...head } = await withScratchIndex(gitDirOf(folder), async (env) => {
    await rereadFiles(folder, env);
    return readStatus(folder, { env, withIgnored: true });
  });
  const pick = (wanted: boolean) =>
    entries.filter((entry) => isUntracked(entry) === wanted).map(({ path }) => readableName(path));
  const [changed, untracked] = [pick(false), pick(true)];
  const attributes = [...untracked, ...ignored.map(readableName)].filter(isAttributes);
  return { ...head, changed, untracked, attributes };
}

/** The commit that contains all tracked files of a checkout; undefined if something is not committed. */
export async function committedState(folder: string): Promise<string | undefined> {
  const { changed, attributes, commit } = await checkoutStatus(folder);
  return changed.length + attributes.length === 0 ? commit : undefined;
}

export async function readStatus(
  folder: string,
  { env = {}, config = [], withIgnored = false }: StatusOptions = {},
): Promise<Head & { entries: StatusEntry[]; ignored: ByteName[] }> {
  const args = ['status', '--porcelain=v2', '--branch', '--no-ahead-behind', '-z', '--untracked-files=all'];
  const more = ['--no-renames', ...(withIgnored ? ['--ignored=matching'] : [])];
  const lines = await gitNames(folder, [...config, ...args, ...more], { env });
  const told = (key: string) =>
    lines.find((line) => line.startsWith(`# ${key} `))?.slice(`# ${key} `.length) ?? '';
  const [commit, branch] = [told('branch.oid'), readableName(told('branch.head'))];
  return {
    commit: commit === '(initial)' ? undefined : commit,
    branch: branch === '(detached)' ? undefined : branch,
    entries: lines.filter((line) => !/^[#!]/.test(line)).map(readEntry),
    ignored: lines.flatMap((line) => (line.startsWith('! ') ? [line.slice(2)] : [])),
  };
}

/** The number of fields before the path, by the first letter of a line: a changed, conflicting or untracked file. */
const fieldsBefore: Record<string, number> = { '1': 8, u: 10, '?': 1 };

function readEntry(line: ByteName): StatusEntry {
  const fields = line.split(' ');
  const kind = fields[0] ?? '';
  const letters = kind === '?' ? '??' : (fields[1] ?? '').replaceAll('.', ' ');
  return {
    path: fields.slice(fieldsBefore[kind]).join(' '),
    staged: letters[0] ?? '',
    unstaged: letters[1] ?? '',
  };
}

/**
 * Refuses files of git attributes that git obeys here although they are in no commit. They can make a file differ from
 * what git stores of it, by an encoding for example, so other content would be merged than was tested.
 */
export function refuseOwnAttributes(folder: string, names: readonly ByteName[]): void {
  const [found, ...more] = names.map(readableName).filter(isAttributes);
  if (found === undefined) return;
  const others = more.length > 0 ? `, and ${more.length} more` : '';
  throw new Refusal(
    'own_attributes',
    `${folder} has a .gitattributes that is not committed: ${found}${others}.`,
    {
      suggestion: `Git obeys it here, so the files can differ from what is merged. Remove it, or commit it ("git add --force").`,
      data: { attributes: [found, ...more].slice(0, 100) },
    },
  );
}

const isAttributes = (path: string) => /(?:^|\/)\.gitattributes$/i.test(path);

export const isUntracked = ({ staged }: StatusEntry) => staged === '?';

/** Lets `work` change a copy of a checkout's index; `env` makes git use the copy. The real index is not touched. */
export function withScratchIndex<T>(gitDir: string, work: (env: GitEnv) => Promise<T>): Promise<T> {
  return inScratchFolder(tmpdir(), 'fermata-index-', async (folder) => {
    const copy = join(folder, 'index');
    copyIndex(join(gitDir, 'index'), copy);
    return work({ GIT_INDEX_FILE: copy });
  });
}

/** Keeps the time stamp of the index, rounded down, because git rereads every file that is not older than the index. */
function copyIndex(from: string, to: string): void {
  const index = statSync(from, { throwIfNoEntry: false });
  if (!index) return;
  copyFileSync(from, to);
  const second = Math.floor(index.mtimeMs / 1000);
  utimesSync(to, second, second);
}
