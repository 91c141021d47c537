import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gitDirOf } from './deaf-environment.ts';
import { type ByteName, type GitEnv, gitNames, onDisk } from './git.ts';

/**
 * Makes git compare every file of a checkout with its index, byte for byte. An index also says which files need not be
 * read: by flags, by the times of files, and by the trees that it should become. Whoever can write it, such as an agent
 * without a sandbox, could make the folder silently differ from what is committed. So only an index that we wrote is
 * taken at its word: the system sets the times at which files changed (to the second, as git compares them).
 */
export async function rereadFiles(folder: string, env: GitEnv = {}): Promise<void> {
  const hash = hashOf(indexOf(folder, env));
  if (hash === undefined || own.has(hash)) return;
  const listed = await gitNames(folder, ['ls-files', '-v', '--stage', '-z'], { env });
  const entries = listed.map((part) => ({ tag: part[0] ?? '', entry: part.slice(2) }));
  const leftOut = entries
    .filter(({ tag }) => /[Ss]/.test(tag))
    .map(({ entry }) => entry.slice(entry.indexOf('\t') + 1))
    .filter((name) => !existsSync(onDisk(folder, name)));
  await update(
    folder,
    ['--index-info'],
    entries.map(({ entry }) => entry),
    env,
  );
  await update(folder, ['--skip-worktree', '--stdin'], leftOut, env);
}

/** Call this after git read all files again and wrote the index. */
export function trustIndex(folder: string): void {
  const hash = hashOf(indexOf(folder));
  if (hash !== undefined) own.add(hash);
}

/** The hashes of indexes that we wrote. */
const own = new Set<string>();

const indexOf = (folder: string, { GIT_INDEX_FILE: path }: GitEnv = {}) =>
  path ?? join(gitDirOf(folder), 'index');

function hashOf(path: string): string | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  return createHash('sha256').update(readFileSync(path)).digest('base64');
}

async function update(folder: string, how: string[], lines: ByteName[], env: GitEnv): Promise<void> {
  if (lines.length === 0) return;
  await gitNames(folder, ['update-index', '-z', ...how], { env, input: `${lines.join('\0')}\0` });
}
