import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import { git } from '../git.ts';
import type { Remote } from './address.ts';
import { remoteError } from './remote-error.ts';
import { cloneGit, type RemoteOptions } from './remote-git.ts';
import { fetchRefs } from './remote-refs.ts';

/** The first clone of a large repository takes a while. */
const LONGEST_MS = 60 * 60_000;

/**
 * Opens a repository in its own folder: clones it from its remote if it is missing, and checks out a branch as it is at
 * the remote now. Another process may do the same at the same time.
 */
export async function openRepository(
  folder: string,
  remote: Remote,
  branch: string,
  options: RemoteOptions = {},
): Promise<void> {
  if (!existsSync(join(folder, '.git'))) await clone(folder, remote, options);
  const ref = `refs/heads/${branch}`;
  const commit = (await fetchRefs(join(folder, '.git'), remote, [ref], options)).get(ref);
  if (commit === undefined) throw remoteError(remote, 'fetch', noBranch(branch));
  await git(folder, ['checkout', '--quiet', '--force', '--detach', commit]);
  // Nobody commits to its local branches, so they follow the remote's.
  for (const own of [`refs/remotes/${remote.name}/${branch}`, ref])
    await git(folder, ['update-ref', '-m', 'fermata', own, commit]);
}

/** Clones next to the target and moves it there when it is complete. */
async function clone(
  folder: string,
  remote: Remote,
  { signal, timeoutMs = LONGEST_MS }: RemoteOptions,
): Promise<void> {
  makeFolder(dirname(folder));
  const place = mkdtempSync(join(dirname(folder), `.${basename(folder)}-`));
  try {
    const flags = ['--quiet', '--no-checkout', '--no-tags', '--template=', `--origin=${remote.name}`];
    const ended = await cloneGit(place, [...flags, '--', remote.address, 'clone'], timeoutMs, signal);
    if (ended.code !== 0) throw remoteError(remote, 'clone', ended);
    if (!existsSync(join(folder, '.git'))) renameSync(join(place, 'clone'), folder);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const noBranch = (branch: string) => ({
  code: 1,
  stdout: '',
  stderr: `it has no branch ${branch}`,
  gaveUp: false,
});
