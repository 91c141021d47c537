import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import { git } from '../git.ts';
import type { Remote } from './address.ts';
import { remoteError } from './remote-error.ts';
import { cloneGit, type RemoteOptions } from './remote-git.ts';
import { fetchRefs } from './remote-refs.ts';

/** The first copy of a large repository takes its time. */
const LONGEST_MS = 60 * 60_000;

/**
 * Opens a repository in a folder of its own: cloned from its remote if it is not there yet, with a branch of the remote
 * checked out as it is there now. Another process may do the same at the same time.
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
  // Nobody commits to its local branches: they are where the remote's are.
  for (const own of [`refs/remotes/${remote.name}/${branch}`, ref])
    await git(folder, ['update-ref', '-m', 'fermata', own, commit]);
}

/** Beside its place, and moved there when it is whole. */
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
