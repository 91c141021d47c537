import { gitList } from './git.ts';

/** What a commit has at a path. */
export interface TreeEntry {
  isLink: boolean;
  /** Of its content: the same bytes have the same id. */
  id: string;
  bytes: number;
}

/** Undefined where the commit has no file there. */
export async function treeEntry(
  folder: string,
  commit: string,
  path: string,
): Promise<TreeEntry | undefined> {
  const args = ['ls-tree', '-z', '--long', '--full-tree', '--end-of-options', commit, '--', path];
  const [entry = ''] = await gitList(folder, args);
  const [, mode, id = '', size] = /^(\d+) blob ([0-9a-f]+) +(\d+)\t/.exec(entry) ?? [];
  return mode === undefined ? undefined : { isLink: mode === '120000', id, bytes: Number(size) };
}
