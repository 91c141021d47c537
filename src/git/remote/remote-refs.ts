import { REJECTED_PUSH } from '../../schema/block-reason.ts';
import { Refusal } from '../../schema/refusal.ts';
import { type Remote, shownAddress } from './address.ts';
import {
  lastLines,
  type RemoteOptions,
  type RunRemote,
  remoteError,
  remoteGit,
  remoteTimes,
} from './remote-git.ts';

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

/** How often somebody else may move a ref while we fetch it. */
const MAX_MOVES = 5;

async function fetched(run: RunRemote, remote: Remote, refs: readonly string[]): Promise<RemoteRefs> {
  for (let attempt = 1; ; attempt++) {
    const there = await listRefs(run, remote, refs);
    if (await hasAll(run, there)) return there;
    const wanted = [...there.keys()].map((ref, index) => `+${ref}:refs/fetched/${index}`);
    const args = ['fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
    const ended = await run([...args, '--', remote.address, ...wanted]);
    // Somebody may have deleted or moved one of them meanwhile.
    const isGone = /couldn't find remote ref/.test(ended.stderr) && attempt < MAX_MOVES;
    if ((ended.code !== 0 && !isGone) || attempt > MAX_MOVES) throw remoteError(remote, 'fetch', ended);
  }
}

async function listRefs(run: RunRemote, remote: Remote, refs: readonly string[]): Promise<RemoteRefs> {
  const ended = await run(
    ['ls-remote', '--quiet', '--refs', '--', remote.address, ...refs],
    remoteTimes.listMs,
  );
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

/** A ref to move, but only from its expected commit. */
export interface RefUpdate {
  ref: string;
  /** Undefined: it must not exist yet. */
  from: string | undefined;
  /** Undefined: delete it. */
  to: string | undefined;
}

/**
 * Moves refs of a remote, all or none. False if somebody else moved one of them first. A push whose response was lost may
 * have succeeded, so the remote is asked where the refs are.
 */
export async function pushRefs(
  commonDir: string,
  remote: Remote,
  updates: readonly RefUpdate[],
  options?: RemoteOptions,
): Promise<boolean> {
  const wanted = updates.filter(({ from, to }) => from !== to);
  if (wanted.length === 0) return true;
  const leases = wanted.map(({ ref, from = '' }) => `--force-with-lease=${ref}:${from}`);
  const specs = wanted.map(({ ref, to = '' }) => `${to}:${ref}`);
  const flags = [
    '--quiet',
    '--porcelain',
    '--atomic',
    '--no-verify',
    '--no-signed',
    '--recurse-submodules=no',
  ];
  const ended = await remoteGit(
    commonDir,
    (run) => run(['push', ...flags, ...leases, '--', remote.address, ...specs]),
    options,
  );
  if (ended.code === 0) return true;
  const refs = wanted.map(({ ref }) => ref);
  const there = await listRemoteRefs(commonDir, remote, refs, options);
  if (wanted.every(({ ref, to }) => there.get(ref) === to)) return true;
  if (wanted.some(({ ref, from }) => there.get(ref) !== from)) return false;
  if (!/rejected\]/.test(ended.stdout)) throw remoteError(remote, 'push', ended);
  throw rejected(remote, wanted, `${reasonIn(ended.stdout)} ${lastLines(ended.stderr)}`.trim());
}

const reasonIn = (porcelain: string) =>
  [...porcelain.matchAll(/^!\t.*\[[\w ]*rejected\] \((.+)\)$/gm)]
    .map(([, reason = '']) => reason)
    .find((reason) => reason !== 'atomic push failed') ?? '';

function rejected(remote: Remote, updates: readonly RefUpdate[], reason: string): Refusal {
  const names = updates.map(({ ref }) => ref.replace(/^refs\/heads\//, ''));
  const branches = names.filter((name) => !name.startsWith('refs/'));
  return new Refusal(
    'push_rejected',
    `${remote.name} (${shownAddress(remote)}) ${REJECTED_PUSH} ${branches.join(' and ')}: ${reason}`,
    {
      suggestion:
        'Nothing was merged, and the work is kept. Change the rule there (a hook or a protected branch), and try again.',
      data: { remote: remote.name, address: shownAddress(remote), branches, reason },
    },
  );
}
