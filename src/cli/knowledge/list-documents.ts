import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { gitList } from '../../git/git.ts';
import { documentKind } from '../../knowledge/split-passages.ts';
import { Refusal } from '../../schema/refusal.ts';

/** A folder with more entries is not a project but somebody's home, or the whole disk. */
const MAX_ENTRIES = 100_000;

/** The documents of a checkout: what git tracks or does not ignore; of a plain folder, its files. */
export async function listDocuments(root: string): Promise<string[]> {
  const all = findRepository(root)
    ? await gitList(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
    : filesIn(root);
  return [...new Set(all)].filter((path) => documentKind(path) !== undefined).sort();
}

/** Skips links, and files that are hidden, installed or unreadable. */
function filesIn(root: string): string[] {
  const files: string[] = [];
  const folders = [''];
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(join(root, folder))) {
      entries += 1;
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isFile()) files.push(path);
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        folders.push(path);
    }
    if (entries > MAX_ENTRIES) {
      throw new Refusal('too_many_files', `There are more than ${MAX_ENTRIES} files in ${root}.`, {
        suggestion: "Go to the project's folder, or make it a git repository.",
      });
    }
  }
  return files;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM' || code === 'ENOENT') return [];
    throw error;
  }
}
