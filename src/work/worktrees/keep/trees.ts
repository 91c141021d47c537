import { existsSync, readdirSync } from 'node:fs';
import { type GitEnv, git, onDisk, readableName, tryGit } from '../../../git/git.ts';
import { commitOf } from '../../../git/refs.ts';
import { rereadFiles } from '../../../git/reread-files.ts';
import { stage } from '../../../git/stage.ts';
import { readStatus, withScratchIndex } from '../../../git/status.ts';
import { Refusal } from '../../../schema/refusal.ts';
import type { CheckoutSource } from './checkout-source.ts';
import { readIndex, treeOf } from './index-entries.ts';
import { rawTree } from './raw-files.ts';

/** The contents of a checkout, as trees. */
export interface KeptTrees {
  /** Its files: tracked and untracked, without ignored ones. Undefined if the folder is gone. */
  files: string | undefined;
  /** The files whose bytes differ from what git stores. */
  raw: string | undefined;
  /** What is staged. */
  index: string;
  /** The sides of files in conflict, below `1`, `2` and `3`. */
  sides: string | undefined;
  /** The commit that is checked out; undefined before the first one. */
  head: string | undefined;
}

const plainly = ['untrackedCache', 'safecrlf'].flatMap((name) => ['-c', `core.${name}=false`]);

export async function writeTrees(source: CheckoutSource): Promise<KeptTrees> {
  const { files, head } = source.hasFiles
    ? await withScratchIndex(source.gitDir, (env) => filesTree(source.folder, env))
    : { files: undefined, head: await commitOf(source.folder, 'HEAD', source.env) };
  const raw = files === undefined ? undefined : await rawTree(source, head, files);
  const entries = await readIndex(source.folder, source.env);
  const staged = entries.filter(({ stage }) => stage === '0');
  const index = await treeOf(source, staged);
  const sides = entries
    .filter(({ stage }) => stage !== '0')
    .map((entry) => ({ ...entry, path: `${entry.stage}/${entry.path}` }));
  return { files, raw, index, sides: sides.length === 0 ? undefined : await treeOf(source, sides), head };
}

async function filesTree(folder: string, env: GitEnv): Promise<{ files: string; head: string | undefined }> {
  await rereadFiles(folder, env);
  const { commit: head, entries } = await readStatus(folder, { env, config: plainly });
  await stage(folder, entries, { env, config: plainly });
  await refuseRepositories(folder, env);
  return { files: await git(folder, ['write-tree'], { env }), head };
}

/** Git sees a nested repository as one entry, so its content would not be kept. */
async function refuseRepositories(folder: string, env: GitEnv): Promise<void> {
  const inside = (await readIndex(folder, env))
    .filter(({ mode, path }) => mode === '160000' && hasContent(onDisk(folder, path)))
    .map(({ path }) => readableName(path));
  if (inside.length === 0) return;
  throw new Refusal('repository_inside', `The worktree contains another repository: ${inside.join(', ')}.`, {
    suggestion: `Move it out of ${folder}, and try again.`,
    data: { repositories: inside },
  });
}

const hasContent = (folder: Buffer) => existsSync(folder) && readdirSync(folder).length > 0;

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
