import { git, gitList } from '../../git/git.ts';
import { commitOf } from '../../git/refs.ts';
import type { CheckoutSource } from './checkout-source.ts';
import { type IndexEntry, treeOf } from './index-entries.ts';

/**
 * Git may store other bytes than a file has: line ends are unified, filters applied. Of files that are changed or new, the
 * real bytes are kept as well where they differ; undefined where they do not.
 */
export async function rawTree(source: CheckoutSource, files: string): Promise<string | undefined> {
  const changed = await changedFiles(source, files);
  const raw: Omit<IndexEntry, 'stage'>[] = [];
  // One name per line is how git takes them, so those with a line end in them go one by one.
  const plain = changed.filter(({ path }) => !path.includes('\n'));
  const ids = await hashAll(
    source.folder,
    plain.map(({ path }) => path),
  );
  for (const [at, entry] of plain.entries())
    if (ids[at] !== entry.id) raw.push({ ...entry, id: ids[at] ?? entry.id });
  for (const entry of changed.filter(({ path }) => path.includes('\n'))) {
    const id = await git(source.folder, ['hash-object', '-w', '--no-filters', '--', entry.path]);
    if (id !== entry.id) raw.push({ ...entry, id });
  }
  return raw.length === 0 ? undefined : treeOf(source, raw);
}

async function changedFiles(source: CheckoutSource, files: string): Promise<Omit<IndexEntry, 'stage'>[]> {
  const before = (await commitOf(source.folder, 'HEAD')) ?? (await treeOf(source, []));
  const parts = await gitList(source.folder, [
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '--no-renames',
    before,
    files,
  ]);
  const entries = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, mode = '', , id = ''] = (parts[at] ?? '').split(' ');
    entries.push({ mode, id, path: parts[at + 1] ?? '' });
  }
  return entries.filter(({ mode }) => mode.startsWith('100'));
}

/** Stores the bytes as they are, and names them. */
async function hashAll(folder: string, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const input = `${paths.join('\n')}\n`;
  return (await git(folder, ['hash-object', '-w', '--no-filters', '--stdin-paths'], { input })).split('\n');
}
