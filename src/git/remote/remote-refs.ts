import type { Remote } from './address.ts';
import { remoteError } from './remote-error.ts';
import { type RemoteOptions, type RunRemote, remoteGit } from './remote-git.ts';

/** The commits of some refs at a remote; missing refs are left out. */
export type RemoteRefs = ReadonlyMap<string, string>;

/** Asks a remote where these refs are, without fetching. */
export function listRemoteRefs(
  commonDir: string,
  remote: Remote,
  refs: readonly string[],
  options?: RemoteOptions,
): Promise<RemoteRefs> {
  return remoteGit(commonDir, (run) => listRefs(run, remote, refs), options);
}

/** Like `listRemoteRefs`, and also fetches the commits with everything they contain. */
export function fetchRefs(
  commonDir: string,
  remote: Remote,
  refs: readonly string[],
  options?: RemoteOptions,
): Promise<RemoteRefs> {
  return remoteGit(commonDir, (run) => fetched(run, remote, refs), options);
}

const MAX_ATTEMPTS = 5;
/** A remote that does not answer this within the time is unavailable. */
const LOOK_MS = 45_000;

async function fetched(run: RunRemote, remote: Remote, refs: readonly string[]): Promise<RemoteRefs> {
  for (let attempt = 1; ; attempt++) {
    const there = await listRefs(run, remote, refs);
    if (await hasAll(run, there)) return there;
    const wanted = [...there.keys()].map((ref, index) => `+${ref}:refs/fetched/${index}`);
    const args = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
    const ended = await run([...args, '--', remote.address, ...wanted]);
    // Somebody may have deleted or moved one of them meanwhile.
    const isGone = /couldn't find remote ref/.test(ended.stderr) && attempt < MAX_ATTEMPTS;
    if ((ended.code !== 0 && !isGone) || attempt > MAX_ATTEMPTS) throw remoteError(remote, 'fetch', ended);
  }
}

async function listRefs(run: RunRemote, remote: Remote, refs: readonly string[]): Promise<RemoteRefs> {
  const ended = await run(['ls-remote', '--quiet', '--refs', '--', remote.address, ...refs], LOOK_MS);
  if (ended.code !== 0) throw remoteError(remote, 'ls-remote', ended);
  return new Map(
    [...ended.stdout.matchAll(/^([0-9a-f]{40,64})\t(.+)$/gm)]
      .map(([, commit = '', ref = '']): [string, string] => [ref, commit])
      // A pattern also matches refs that only end with it.
      .filter(([ref]) => refs.includes(ref)),
  );
}

/** Checks without the repository's configuration, which could make git fetch a missing object from elsewhere. */
async function hasAll(run: RunRemote, refs: RemoteRefs): Promise<boolean> {
  return refs.size === 0 || (await run(['rev-list', '--no-walk', '--quiet', ...refs.values()])).code === 0;
}
