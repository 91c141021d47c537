import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { git, gitBytes, gitList, tryGit } from '../../git/git.ts';
import { type GitEnv, withScratchIndex } from '../../git/scratch-index.ts';
import { Refusal } from '../../refusal.ts';
import type { CheckoutSource } from './checkout-source.ts';

/** What a checkout holds, as trees. */
export interface KeptTrees {
  /** Its files: tracked and untracked, without ignored ones. Undefined where the folder is gone. */
  files: string | undefined;
  /** What is staged. */
  index: string;
  /** The sides of files in conflict, below `1`, `2` and `3`. */
  sides: string | undefined;
}

const plainly = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.untrackedCache=false',
  '-c',
  'core.safecrlf=false',
];

export async function writeTrees(source: CheckoutSource): Promise<KeptTrees> {
  const files = source.hasFiles
    ? await withScratchIndex(source.gitDir, (env) => filesTree(source.folder, env))
    : undefined;
  const entries = (await gitList(source.folder, ['ls-files', '--stage', '-z'], { env: source.env })).map(
    readEntry,
  );
  const index = await treeOf(
    source,
    entries.filter(({ stage }) => stage === '0'),
    ({ path }) => path,
  );
  const unmerged = entries.filter(({ stage }) => stage !== '0');
  const sides =
    unmerged.length === 0
      ? undefined
      : await treeOf(source, unmerged, ({ stage, path }) => `${stage}/${path}`);
  return { files, index, sides };
}

async function filesTree(folder: string, env: GitEnv): Promise<string> {
  await lookAtHiddenFiles(folder, env);
  await git(folder, [...plainly, 'add', '--all', '--', '.'], { env });
  await refuseRepositories(folder, env);
  return git(folder, ['write-tree'], { env });
}

/** Git does not look at files that are marked as unchanged or outside of a sparse checkout, even if they are there. */
async function lookAtHiddenFiles(folder: string, env: GitEnv): Promise<void> {
  const listed = await gitList(folder, ['ls-files', '-v', '-z'], { env });
  const there = (tag: RegExp) =>
    listed
      .filter((part) => tag.test(part[0] ?? '') && existsSync(join(folder, part.slice(2))))
      .map((part) => part.slice(2));
  const clear = async (flag: string, paths: string[]) => {
    if (paths.length > 0)
      await git(folder, ['update-index', flag, '-z', '--stdin'], { env, input: `${paths.join('\0')}\0` });
  };
  await clear('--no-skip-worktree', there(/[Ss]/));
  await clear('--no-assume-unchanged', there(/[a-z]/));
}

/** A repository inside is one entry to git: its content would not be kept. */
async function refuseRepositories(folder: string, env: GitEnv): Promise<void> {
  const entries = (await gitList(folder, ['ls-files', '--stage', '-z'], { env })).map(readEntry);
  const inside = entries
    .filter(({ mode, path }) => mode === '160000' && hasContent(join(folder, path)))
    .map(({ path }) => path);
  if (inside.length === 0) return;
  throw new Refusal(
    'repository_inside',
    `There is another repository in the worktree: ${inside.join(', ')}.`,
    {
      suggestion: `Move it out of ${folder}, and try again.`,
      data: { repositories: inside },
    },
  );
}

const hasContent = (folder: string) => existsSync(folder) && readdirSync(folder).length > 0;

interface Entry {
  mode: string;
  id: string;
  stage: string;
  path: string;
}

function readEntry(line: string): Entry {
  const [, mode = '', id = '', stage = '', path = ''] =
    /^(\d+) ([0-9a-f]+) (\d)\t([\s\S]*)$/.exec(line) ?? [];
  return { mode, id, stage, path };
}

async function treeOf(
  source: CheckoutSource,
  entries: Entry[],
  nameOf: (entry: Entry) => string,
): Promise<string> {
  const input = entries.map((entry) => `${entry.mode} ${entry.id}\t${nameOf(entry)}\0`).join('');
  return withScratchIndex(join(source.gitDir, 'nothing'), async (env) => {
    const all = { env: { ...source.env, ...env } };
    await gitBytes(source.folder, ['update-index', '-z', '--index-info'], { ...all, input });
    return git(source.folder, ['write-tree'], all);
  });
}

/** Whether a commit has this tree. */
export async function hasTree(folder: string, commit: string, tree: string): Promise<boolean> {
  const { stdout } = await tryGit(folder, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${commit}^{tree}`,
  ]);
  return stdout.toString('utf8').trim() === tree;
}
