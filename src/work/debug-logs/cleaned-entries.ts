import { createHash } from 'node:crypto';
import { type ByteName, gitBytes, gitError, tryGit } from '../../git/git.ts';
import { never } from './cleanup-debug-logs.ts';
import { MARK, removeBlocks } from './remove-blocks.ts';

/** Of a tree with more marked files, we do not know what the clean-up would make. */
const MAX_FILES = 500;

export const pathOf = (entry: ByteName) => entry.slice(entry.indexOf('\t') + 1);

/** These entries of a tree (`git ls-tree`) as they are after our clean-up; undefined if nothing would be removed. */
export async function cleanedEntries(
  folder: string,
  tree: string,
  entries: readonly ByteName[],
): Promise<ByteName[] | undefined> {
  const marked = await filesWithMarks(folder, tree);
  if (marked.size === 0 || marked.size > MAX_FILES) return undefined;
  const cleaned: ByteName[] = [];
  for (const entry of entries) cleaned.push(marked.has(pathOf(entry)) ? await clean(folder, entry) : entry);
  return cleaned.some((entry, at) => entry !== entries[at]) ? cleaned : undefined;
}

async function filesWithMarks(folder: string, tree: string): Promise<Set<ByteName>> {
  const args = ['grep', '-lzIF', '--full-name', '-e', MARK, tree, '--'];
  const found = await tryGit(folder, args);
  if (found.code > 1) throw gitError(args, found);
  const names = found.stdout.toString('latin1').split('\0').slice(0, -1);
  return new Set(names.map((name) => name.slice(tree.length + 1)).filter((name) => !never.test(name)));
}

async function clean(folder: string, entry: ByteName): Promise<ByteName> {
  const [mode = '', type = '', id = ''] = entry.slice(0, entry.indexOf('\t')).split(' ');
  if (!mode.startsWith(REGULAR)) return entry;
  const { text, markers } = removeBlocks((await gitBytes(folder, ['cat-file', type, id])).toString('latin1'));
  if (markers === 0) return entry;
  const hash = createHash(id.length === SHA1_LENGTH ? 'sha1' : 'sha256');
  const cleanedId = hash.update(`blob ${text.length}\0`).update(text, 'latin1').digest('hex');
  return `${mode} ${type} ${cleanedId}\t${pathOf(entry)}`;
}

/** The first digits of a file's mode; a link has others. */
const REGULAR = '100';
const SHA1_LENGTH = 40;
