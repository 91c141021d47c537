import { lstatSync, readFileSync } from 'node:fs';
import { git, gitBytes, gitNames, onDisk } from '../../../git/git.ts';
import type { CheckoutSource } from './checkout-source.ts';
import { type IndexEntry, treeOf } from './index-entries.ts';

type FileEntry = Omit<IndexEntry, 'stage'>;

/**
 * Git may store different bytes than a file has, because it unifies line endings and applies filters. Keeps the real
 * bytes of changed and new files if they differ; undefined if none do.
 */
export async function rawTree(
  source: CheckoutSource,
  head: string | undefined,
  files: string,
): Promise<string | undefined> {
  const changed = await changedFiles(source, head, files);
  if (changed.length === 0) return undefined;
  const ids = await storeAll(source.folder, changed);
  const raw = changed.flatMap((entry) => {
    const id = ids.get(entry.path) ?? entry.id;
    return id === entry.id ? [] : [{ ...entry, id }];
  });
  return raw.length === 0 ? undefined : treeOf(source, raw);
}

async function changedFiles(
  source: CheckoutSource,
  head: string | undefined,
  files: string,
): Promise<FileEntry[]> {
  const before = head ?? (await treeOf(source, []));
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', before, files];
  const parts = await gitNames(source.folder, args);
  const entries: FileEntry[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, mode = '', , id = ''] = (parts[at] ?? '').split(' ');
    entries.push({ mode, id, path: parts[at + 1] ?? '' });
  }
  return entries.filter(({ mode, path }) => mode.startsWith('100') && isFile(onDisk(source.folder, path)));
}

/** False for files outside a sparse checkout. */
const isFile = (path: Buffer) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Stores the bytes unchanged. Git reads one name per line, so a file with a line break in its name is passed by content. */
async function storeAll(folder: string, files: FileEntry[]): Promise<Map<string, string>> {
  const plain = files.filter(({ path }) => !path.includes('\n'));
  const input = Buffer.from(plain.map(({ path }) => `${path}\n`).join(''), 'latin1');
  const store = ['hash-object', '-w', '--no-filters'];
  const stored = await gitBytes(folder, [...store, '--stdin-paths'], { input });
  const lines = stored.toString('utf8').split('\n');
  const ids = new Map(plain.map(({ path, id }, at) => [path, lines[at] ?? id]));
  for (const { path } of files.filter((file) => file.path.includes('\n'))) {
    ids.set(path, await git(folder, [...store, '--stdin'], { input: readFileSync(onDisk(folder, path)) }));
  }
  return ids;
}
