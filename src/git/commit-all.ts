import { git, tryGit } from './git.ts';
import { showHiddenFiles } from './hidden-files.ts';
import { committer } from './identity.ts';
import { stage } from './stage.ts';
import { isUntracked, type StatusEntry, statusEntries } from './status.ts';

/** Commits everything in a checkout that is not committed yet; false where there was nothing. */
export async function commitAll(folder: string, message: string): Promise<boolean> {
  return commit(folder, await allEntries(folder), message);
}

/** Commits what was changed in files that git tracks; new ones are left where they are. */
export async function commitTracked(folder: string, message: string): Promise<boolean> {
  const tracked = (await allEntries(folder)).filter((entry) => !isUntracked(entry));
  return commit(folder, tracked, message);
}

async function allEntries(folder: string): Promise<StatusEntry[]> {
  await showHiddenFiles(folder);
  return statusEntries(folder);
}

async function commit(folder: string, entries: StatusEntry[], message: string): Promise<boolean> {
  if (entries.length === 0) return false;
  await stage(folder, entries);
  if ((await tryGit(folder, ['diff', '--cached', '--quiet'])).code === 0) return false;
  await git(folder, ['commit', '--quiet', '-F', '-'], {
    input: `${message}\n`,
    env: await committer(folder),
  });
  return true;
}
