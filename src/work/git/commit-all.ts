import { git, tryGit } from './git.ts';
import { committer } from './identity.ts';
import { checkoutStatus } from './status.ts';

/** Commits everything in a checkout that is not committed yet; false where there was nothing. */
export async function commitAll(folder: string, message: string): Promise<boolean> {
  const { changed, untracked } = await checkoutStatus(folder);
  if (changed.length + untracked.length === 0) return false;
  await git(folder, ['add', '--all']);
  if ((await tryGit(folder, ['diff', '--cached', '--quiet'])).code === 0) return false;
  await git(folder, ['commit', '--quiet', '-F', '-'], {
    input: `${message}\n`,
    env: await committer(folder),
  });
  return true;
}
