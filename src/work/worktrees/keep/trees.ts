import { existsSync, readdirSync } from 'node:fs';
import { type ByteName, onDisk, readableName } from '../../git/byte-name.ts';
import { git, gitNames, tryGit } from '../../git/git.ts';
import { type GitEnv, withScratchIndex } from '../../git/scratch-index.ts';
import { Refusal } from '../../refusal.ts';
import type { CheckoutSource } from './checkout-source.ts';
import { readIndex, treeOf } from './index-entries.ts';
import { rawTree } from './raw-files.ts';

/** What a checkout holds, as trees. */
export interface KeptTrees {
  /** Its files: tracked and untracked, without ignored ones. Undefined where the folder is gone. */
  files: string | undefined;
  /** Those of them whose bytes are not what git stores of them. */
  raw: string | undefined;
  /** What is staged. */
  index: string;
  /** The sides of files in conflict, below `1`, `2` and `3`. */
  sides: string | undefined;
}

const plainly = ['fsmonitor', 'untrackedCache', 'safecrlf'].flatMap((name) => ['-c', `core.${name}=false`]);

export async function writeTrees(source: CheckoutSource): Promise<KeptTrees> {
  const files = source.hasFiles
    ? await withScratchIndex(source.gitDir, (env) => filesTree(source.folder, env))
    : undefined;
  const raw = files === undefined ? undefined : await rawTree(source, files);
  const entries = await readIndex(source.folder, source.env);
  const staged = entries.filter(({ stage }) => stage === '0');
  const index = await treeOf(source, staged);
  const sides = entries
    .filter(({ stage }) => stage !== '0')
    .map((entry) => ({ ...entry, path: `${entry.stage}/${entry.path}` }));
  return { files, raw, index, sides: sides.length === 0 ? undefined : await treeOf(source, sides) };
}

async function filesTree(folder: string, env: GitEnv): Promise<string> {
  await lookAtHiddenFiles(folder, env);
  await git(folder, [...plainly, 'add', '--all', '--sparse', '--', '.'], { env });
  await refuseRepositories(folder, env);
  return git(folder, ['write-tree'], { env });
}

/** Git does not look at files that are marked as unchanged or outside of a sparse checkout, even if they are there. */
async function lookAtHiddenFiles(folder: string, env: GitEnv): Promise<void> {
  const listed = await gitNames(folder, ['ls-files', '-v', '-z'], { env });
  const there = (tag: RegExp) =>
    listed
      .filter((part) => tag.test(part[0] ?? '') && existsSync(onDisk(folder, part.slice(2))))
      .map((part) => part.slice(2));
  const clear = async (flag: string, paths: ByteName[]) => {
    if (paths.length > 0)
      await gitNames(folder, ['update-index', flag, '-z', '--stdin'], {
        env,
        input: `${paths.join('\0')}\0`,
      });
  };
  await clear('--no-skip-worktree', there(/[Ss]/));
  await clear('--no-assume-unchanged', there(/[a-z]/));
}

/** A repository inside is one entry to git: its content would not be kept. */
async function refuseRepositories(folder: string, env: GitEnv): Promise<void> {
  const inside = (await readIndex(folder, env))
    .filter(({ mode, path }) => mode === '160000' && hasContent(onDisk(folder, path)))
    .map(({ path }) => readableName(path));
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

const hasContent = (folder: Buffer) => existsSync(folder) && readdirSync(folder).length > 0;

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
