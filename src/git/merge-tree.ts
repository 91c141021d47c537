import { tryCommitting } from './commit.ts';
import { gitError, tryGit } from './git.ts';

interface Conflict {
  path: string;
  /** In git's words: `CONFLICT (content): Merge conflict in a.txt`. */
  reason: string;
}

export type MergedTree = { kind: 'clean'; tree: string } | { kind: 'conflict'; conflicts: Conflict[] };

/** Merges two commits without touching a branch, an index or a file. */
export async function mergeTrees(folder: string, ours: string, theirs: string): Promise<MergedTree> {
  const args = ['merge-tree', '--write-tree', '-z', '--messages', '--name-only', ours, theirs];
  const result = await tryGit(folder, args);
  if (result.code > 1) throw gitError(args, result);
  const [tree = '', ...rest] = result.stdout.toString('utf8').split('\0');
  return result.code === 0 ? { kind: 'clean', tree } : { kind: 'conflict', conflicts: readConflicts(rest) };
}

/** The paths, an empty part, then messages: the number of paths, the paths, the kind, the text. */
function readConflicts(parts: string[]): Conflict[] {
  const end = parts.indexOf('');
  const paths = parts.slice(0, end);
  const reasons = new Map<string, string>();
  for (let at = end + 1; at < parts.length - 1; ) {
    const count = Number(parts[at]);
    const named = parts.slice(at + 1, at + 1 + count);
    const [kind = '', words = ''] = parts.slice(at + 1 + count, at + 3 + count);
    if (kind.startsWith('CONFLICT')) for (const path of named) reasons.set(path, words.trim());
    at += count + 3;
  }
  return [...new Set(paths)].map((path) => ({ path, reason: reasons.get(path) ?? 'CONFLICT' }));
}

interface NewCommit {
  tree: string;
  parents: readonly string[];
  message: string;
}

/** Writes a commit, such as that of a merge, without moving a branch. */
export async function writeCommit(folder: string, { tree, parents, message }: NewCommit): Promise<string> {
  const args = ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', tree];
  const result = await tryCommitting(folder, args, { input: message });
  if (result.code === 0) return result.stdout.toString('utf8').trim();
  throw gitError(args, result);
}

/** What a commit would be without the changes of an earlier merge. Git before 2.40 cannot be told the common ancestor. */
export async function revertTree(folder: string, onto: string, merge: string): Promise<MergedTree> {
  const tree = `${merge}^1^{tree}`;
  const without = await writeCommit(folder, { tree, parents: [merge], message: `Without ${merge}\n` });
  return mergeTrees(folder, onto, without);
}
