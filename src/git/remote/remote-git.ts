import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inScratchFolder } from '../../files/scratch-folder.ts';
import { Refusal } from '../../schema/refusal.ts';
import { deafEnvironment } from '../deaf-config.ts';
import { gitEnvironment } from '../deaf-environment.ts';
import { git } from '../git.ts';
import { type RemoteEnded, startRemoteGit } from '../start-git.ts';
import { protocols, type Remote, shownAddress } from './address.ts';

export type { RemoteEnded };

export interface RemoteOptions {
  /** Ends it early. */
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** Runs git once with these arguments; `mostMs` sets a shorter time limit. */
export type RunRemote = (args: string[], mostMs?: number) => Promise<RemoteEnded>;

/** How long git may talk to a remote. */
export const remoteTimes = {
  /** A remote that does not list its refs within this time is unavailable. */
  listMs: 45_000,
  /** A longer fetch or push is ended and retried. */
  transferMs: 10 * 60_000,
  /** The first clone of a large repository takes a while. */
  cloneMs: 60 * 60_000,
} satisfies Record<string, number>;

/**
 * Runs git against a remote. It works in our own git directory with nothing but the repository's objects, so the
 * repository's configuration does not apply: no helper, proxy, ssh command, other address or hook that it names. What the
 * person configured for all repositories applies, because credentials come from there.
 */
export async function remoteGit<T>(
  commonDir: string,
  work: (run: RunRemote) => Promise<T>,
  { signal, timeoutMs = remoteTimes.transferMs }: RemoteOptions = {},
): Promise<T> {
  return inScratchFolder(tmpdir(), PREFIX, async (folder) => {
    await prepare(folder, commonDir);
    const env = {
      ...networkEnvironment(),
      GIT_DIR: folder,
      GIT_OBJECT_DIRECTORY: join(commonDir, 'objects'),
    };
    return work((args, mostMs = timeoutMs) =>
      startRemoteGit(folder, args, {
        env,
        timeoutMs: Math.min(mostMs, timeoutMs),
        ...(signal ? { signal } : {}),
      }),
    );
  });
}

const PREFIX = 'fermata-remote-';

/** Like `remoteGit`, in an empty repository that is removed afterwards. */
export async function emptyRemoteGit<T>(
  format: string,
  work: (run: RunRemote) => Promise<T>,
  timeoutMs = remoteTimes.transferMs,
): Promise<T> {
  return inScratchFolder(tmpdir(), PREFIX, async (folder) => {
    writeConfig(folder, format);
    mkdirSync(join(folder, 'objects'));
    const env = { ...networkEnvironment(), GIT_DIR: folder };
    return work((args, mostMs = timeoutMs) => startRemoteGit(folder, args, { env, timeoutMs: mostMs }));
  });
}

/** Like `remoteGit`, before there is a repository: for a clone. */
export function cloneGit(
  folder: string,
  args: string[],
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<RemoteEnded> {
  return startRemoteGit(folder, ['clone', ...args], {
    env: networkEnvironment(),
    timeoutMs,
    ...(signal ? { signal } : {}),
  });
}

/** The environment of a git that may use the network and the person's own credentials. */
function networkEnvironment(): NodeJS.ProcessEnv {
  return {
    ...gitEnvironment(process.env),
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => ofNetwork.test(name))),
    ...deafEnvironment(forNetwork, new Set(['credential.helper'])),
    GIT_ALLOW_PROTOCOL: protocols.join(':'),
  };
}

const ofNetwork = /^GIT_(SSH|SSH_COMMAND|SSH_VARIANT|PROXY_COMMAND|SSL_\w+)$/;

const forNetwork = new Map([
  // Keep what is fetched in one pack, which appears as a whole, so that a commit never exists without its objects.
  ['fetch.unpackLimit', '1'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
]);

/** How a repository names its objects. */
export const formatOf = (id: string) => (id.length === 64 ? 'sha256' : 'sha1');

/** Prepares our git directory with the repository's branches, so that git fetches only what is new. */
async function prepare(folder: string, commonDir: string): Promise<void> {
  const refs = await git(commonDir, [
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    'refs/heads/',
    'refs/remotes/',
  ]);
  const [id = ''] = refs.split(' ', 1);
  writeConfig(folder, id === '' ? await git(commonDir, ['rev-parse', '--show-object-format']) : formatOf(id));
  if (refs !== '') writeFileSync(join(folder, 'packed-refs'), `${refs}\n`);
}

function writeConfig(folder: string, format: string): void {
  const extension = format === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${format}\n`;
  mkdirSync(join(folder, 'refs'));
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(
    join(folder, 'config'),
    `[core]\n\trepositoryformatversion = ${extension === '' ? 0 : 1}\n\tbare = true\n${extension}`,
  );
}

const denied =
  /Authentication failed|Permission denied|could not read (?:Username|Password)|returned error: 40[134]|repository .*not found|terminal prompts disabled|Host key verification failed|access denied|not authorized|dubious ownership|transport '.*' not allowed/i;
const away =
  /resolve host|Connection (?:refused|timed out|reset|closed)|Network is unreachable|No route to host|timed out|early EOF|unexpected disconnect|hung up|failed to connect|could not connect|unable to connect|unable to look up|Broken pipe|returned error: (?:429|5\d\d)|Temporary failure|transfer closed|too slow/i;
const missing =
  /does not appear to be a git repository|Could not read from remote repository|repository '.*' does not exist/i;

/**
 * Why git could not talk to a remote. Waiting helps with `remote_away`, maybe with `remote_missing`, and not with
 * `remote_denied`.
 */
export function remoteError(remote: Remote, command: string, { stderr, gaveUp, code }: RemoteEnded): Refusal {
  const at = `${remote.name} (${shownAddress(remote)})`;
  const said = lastLines(stderr) || `exit code ${code}`;
  const data = { remote: remote.name, address: shownAddress(remote), stderr: said };
  if (gaveUp) {
    return new Refusal('remote_away', `${at} did not answer in time.`, { data, code: 'unavailable' });
  }
  if (denied.test(stderr)) {
    return new Refusal('remote_denied', `${at} refuses access: ${said}`, {
      suggestion:
        'Log in the way you do for "git push" yourself (a credential helper or an ssh key), and try again.',
      data,
      code: 'forbidden',
    });
  }
  if (away.test(stderr)) {
    return new Refusal('remote_away', `${at} cannot be reached: ${said}`, { data, code: 'unavailable' });
  }
  if (missing.test(stderr)) {
    return new Refusal('remote_missing', `There is no repository at ${at}: ${said}`, {
      suggestion: 'Check its address ("git remote -v"), or turn it off with --remote none.',
      data,
      code: 'unavailable',
    });
  }
  return new Refusal('remote_failed', `git ${command} failed with ${at}: ${said}`, {
    data,
    code: 'unavailable',
  });
}

export const isRemoteUnreachable = (error: unknown): error is Refusal =>
  error instanceof Refusal && (error.type === 'remote_away' || error.type === 'remote_missing');

/** The server's message comes last and may be long. */
export function lastLines(text: string): string {
  return text.trim().split('\n').slice(-8).join(' ').slice(-1000);
}
