import { REJECTED_PUSH } from '../../schema/block-reason.ts';
import { Refusal } from '../../schema/refusal.ts';
import { type Remote, shownAddress } from './address.ts';
import { lastLines, remoteError } from './remote-error.ts';
import { type RemoteOptions, remoteGit } from './remote-git.ts';
import { listRemoteRefs } from './remote-refs.ts';

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
