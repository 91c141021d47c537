import { join } from 'node:path';
import { type ByteName, type GitEnv, git, gitNames } from '../../../git/git.ts';
import { withScratchIndex } from '../../../git/status.ts';
import type { CheckoutSource } from './checkout-source.ts';

/** One line of an index. */
export interface IndexEntry {
  mode: string;
  id: string;
  /** `0`, or the side of a conflict. */
  stage: string;
  path: ByteName;
}

export async function readIndex(folder: string, env: GitEnv): Promise<IndexEntry[]> {
  return (await gitNames(folder, ['ls-files', '--stage', '-z'], { env })).map((line) => {
    const [, mode = '', id = '', stage = '', path = ''] =
      /^(\d+) ([0-9a-f]+) (\d)\t([\s\S]*)$/.exec(line) ?? [];
    return { mode, id, stage, path };
  });
}

/** Writes a tree of exactly these entries. */
export async function treeOf(source: CheckoutSource, entries: Omit<IndexEntry, 'stage'>[]): Promise<string> {
  const input = entries.map(({ mode, id, path }) => `${mode} ${id}\t${path}\0`).join('');
  return withScratchIndex(join(source.gitDir, 'no such folder'), async (scratch) => {
    const env = { ...source.env, ...scratch };
    await gitNames(source.folder, ['update-index', '-z', '--index-info'], { env, input });
    return git(source.folder, ['write-tree'], { env });
  });
}
