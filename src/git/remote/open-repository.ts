import { existsSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inScratchFolder } from '../../files/scratch-folder.ts';
import { makeFolder } from '../../files/write-at-once.ts';
import { git } from '../git.ts';
import { commitOf } from '../refs.ts';
import { type Remote, requireUsable } from './address.ts';
import { cloneGit, type RemoteOptions, remoteError, remoteTimes } from './remote-git.ts';
import { fetchRefs } from './remote-refs.ts';

/**
 * Opens a repository in its own folder, and clones it first if it is not there yet. Checks out the first of these
 * branches that the remote has, at the remote's current commit. Another process may do the same at the same time.
 */
export async function openRepository(
  folder: string,
  remote: Remote,
  branches: readonly string[],
  options: RemoteOptions = {},
): Promise<{ branch: string; commit: string }> {
  requireUsable(remote);
  if (!existsSync(join(folder, '.git'))) await clone(folder, remote, options);
  const refs = branches.map((branch) => `refs/heads/${branch}`);
  const there = await fetchRefs(join(folder, '.git'), remote, refs, options);
  const ref = refs.find((each) => there.has(each)) ?? '';
  const commit = there.get(ref);
  if (commit === undefined) throw remoteError(remote, 'fetch', noBranch(branches.at(-1) ?? ''));
  const branch = ref.slice('refs/heads/'.length);
  // Other processes may be reading the files, so leave them alone if they are up to date.
  if ((await commitOf(folder, 'HEAD')) !== commit || !existsSync(join(folder, '.git/index')))
    await git(folder, ['checkout', '--quiet', '--force', '--detach', commit]);
  // Nobody commits to its local branches, so they follow the remote's.
  for (const own of [`refs/remotes/${remote.name}/${branch}`, ref])
    await git(folder, ['update-ref', '-m', 'fermata', own, commit]);
  return { branch, commit };
}

/** Clones next to the target and moves it there when it is complete. */
async function clone(
  folder: string,
  remote: Remote,
  { signal, timeoutMs = remoteTimes.cloneMs }: RemoteOptions,
): Promise<void> {
  makeFolder(dirname(folder));
  await inScratchFolder(dirname(folder), `.${basename(folder)}-`, async (place) => {
    const flags = ['--quiet', '--no-checkout', '--no-tags', '--template=', `--origin=${remote.name}`];
    const ended = await cloneGit(place, [...flags, '--', remote.address, 'clone'], timeoutMs, signal);
    if (ended.code !== 0) throw remoteError(remote, 'clone', ended);
    if (!existsSync(join(folder, '.git'))) renameSync(join(place, 'clone'), folder);
  });
}

const noBranch = (branch: string) => ({
  code: 1,
  stdout: '',
  stderr: `it has no branch ${branch}`,
  gaveUp: false,
});
