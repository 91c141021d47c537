import { git, tryGit } from './git.ts';
import { committer } from './identity.ts';
import { checkoutStatus } from './status.ts';

/** Commits everything in a checkout that is not committed yet; false where there was nothing. */
export async function commitAll(folder: string, message: string): Promise<boolean> {
  const { changed, untracked } = await checkoutStatus(folder);
  return changed.length + untracked.length > 0 && commit(folder, '--all', message);
}

/** Commits what was changed in files that git tracks; new ones are left where they are. */
export async function commitTracked(folder: string, message: string): Promise<boolean> {
  const { changed } = await checkoutStatus(folder);
  return changed.length > 0 && commit(folder, '--update', message);
}

async function commit(folder: string, what: '--all' | '--update', message: string): Promise<boolean> {
  await git(folder, ['add', what]);
  if ((await tryGit(folder, ['diff', '--cached', '--quiet'])).code === 0) return false;
  await git(folder, ['commit', '--quiet', '-F', '-'], {
    input: `${message}\n`,
    env: await committer(folder),
  });
  return true;
}
