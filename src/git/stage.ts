import { lstatSync } from 'node:fs';
import { Refusal } from '../schema/refusal.ts';
import { type ByteName, type GitEnv, git, gitError, gitNames, onDisk, tryGit } from './git.ts';
import type { IndexOptions, StatusEntry } from './status.ts';

/**
 * Stages files like `git add`, which itself starts a git in each nested repository and so would run what that
 * repository's configuration names. This only records the nested repository's commit.
 */
export async function stage(
  folder: string,
  entries: readonly StatusEntry[],
  options: IndexOptions = {},
): Promise<void> {
  const changed = entries.filter(({ unstaged }) => unstaged !== ' ');
  const gone = new Set(changed.filter((entry) => isGone(folder, entry)));
  await update(folder, ['--force-remove'], [...gone], options);
  await update(
    folder,
    ['--add', '--remove', '--replace'],
    changed.filter((entry) => !gone.has(entry)),
    options,
  );
}

async function update(
  folder: string,
  how: string[],
  entries: readonly StatusEntry[],
  { env = {}, config = [] }: IndexOptions,
): Promise<void> {
  if (entries.length === 0) return;
  // A new nested repository is listed with a trailing slash.
  const input = Buffer.from(entries.map(({ path }) => `${path.replace(/\/$/, '')}\0`).join(''), 'latin1');
  const args = [...config, 'update-index', ...how, '-z', '--stdin'];
  const result = await tryGit(folder, args, { env, input });
  if (result.code === 0) return;
  const inside = /^error: (.+): is a directory - add files inside instead$/m.exec(result.stderr)?.[1];
  if (inside === undefined) throw gitError(args, result);
  throw new Refusal('repository_inside', `${inside} is another repository without a commit.`, {
    suggestion: `Commit in it or move it out of ${folder}, then try again.`,
    data: { repositories: [inside] },
  });
}

/**
 * Whether a file is gone, as git reports it. We look for a file in conflict on disk, because it may exist whatever both
 * sides did.
 */
function isGone(folder: string, { path, staged, unstaged }: StatusEntry): boolean {
  const isConflict = staged === 'U' || unstaged === 'U' || (staged === unstaged && 'AD'.includes(staged));
  if (!isConflict) return unstaged === 'D';
  return lstatSync(onDisk(folder, path), { throwIfNoEntry: false }) === undefined;
}

/** Adds untracked files to an index without their content. Skips nested repositories. */
export async function noteUntracked(folder: string, names: readonly ByteName[], env: GitEnv): Promise<void> {
  const files = names.filter((name) => !name.endsWith('/'));
  if (files.length === 0) return;
  const empty = await git(folder, ['hash-object', '--stdin'], { input: '' });
  const input = files.map((name) => `100644 ${empty}\t${name}\0`).join('');
  await gitNames(folder, ['update-index', '--replace', '-z', '--index-info'], { env, input });
}
