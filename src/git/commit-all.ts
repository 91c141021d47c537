import { gitError, tryGit } from './git.ts';
import { showHiddenFiles } from './hidden-files.ts';
import { tryCommitting } from './identity.ts';
import { stage } from './stage.ts';
import { committedState, isUntracked, readStatus, type StatusEntry } from './status.ts';

/** Commits everything uncommitted in a checkout; false if there was nothing. */
export async function commitAll(folder: string, message: string): Promise<boolean> {
  await showHiddenFiles(folder);
  const { entries } = await readStatus(folder);
  return commit(folder, entries, message);
}

/**
 * Commits the changes to tracked files; new files are left where they are. Resolves to the commit that then contains all
 * tracked files; undefined if something changed meanwhile.
 */
export async function commitTracked(folder: string, message: string): Promise<string | undefined> {
  await showHiddenFiles(folder);
  const { commit: before, entries } = await readStatus(folder);
  const tracked = entries.filter((entry) => !isUntracked(entry));
  if (tracked.length === 0) return before;
  await commit(folder, tracked, message);
  return committedState(folder);
}

/** Commits what was changed in these files and folders; the rest is left as it is. */
export async function commitWithin(
  folder: string,
  paths: readonly string[],
  message: string,
): Promise<boolean> {
  await showHiddenFiles(folder);
  const within = paths.map((path) => Buffer.from(path).toString('latin1'));
  const { entries } = await readStatus(folder);
  const meant = entries.filter(({ path }) =>
    within.some((each) => path === each || path.startsWith(`${each}/`)),
  );
  return commit(folder, meant, message);
}

async function commit(folder: string, entries: StatusEntry[], message: string): Promise<boolean> {
  if (entries.length === 0) return false;
  await stage(folder, entries);
  const args = ['commit', '--quiet', '-F', '-'];
  const result = await tryCommitting(folder, args, { input: `${message}\n` });
  if (result.code === 0) return true;
  // Git also fails if nothing is staged that differs from the last commit.
  if ((await tryGit(folder, ['diff', '--cached', '--quiet'])).code === 0) return false;
  throw gitError(args, result);
}
