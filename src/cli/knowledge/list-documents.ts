import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { documentKind } from '../../knowledge/document-kind.ts';
import { gitList } from '../../work/git/git.ts';

const DEEPEST = 20;

/** The documents of a checkout: what git tracks, or has not been told to ignore; of a plain folder, what is in it. */
export async function listDocuments(root: string): Promise<string[]> {
  const all = findRepository(root)
    ? await gitList(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
    : walk(root, '', 0);
  return [...new Set(all)].filter((path) => documentKind(path) !== undefined).sort();
}

/** Neither links nor what is hidden or installed. */
function walk(root: string, folder: string, depth: number): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isFile()) return [path];
    const wanted = entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules';
    return wanted && depth < DEEPEST ? walk(root, path, depth + 1) : [];
  });
}
