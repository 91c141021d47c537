import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { type Account, give, unprivileged } from './postgres-account.ts';
import { findBinaries, type PostgresBinaries, readableBy } from './postgres-binaries.ts';
import { makePostgresFolder, reapAbandoned, watchOver } from './postgres-folder.ts';
import { descendants, kill } from './processes.ts';

export interface RunningPostgres {
  /** The administrator's URL. */
  url: string;
  /** Makes a new, empty database and resolves to its URL. */
  createDatabase(): Promise<string>;
  /** Takes the server away: stopped cleanly, killed without warning, or frozen. */
  halt(how: Outage): Promise<void>;
  /** Brings it back, at the same address. */
  bringBack(): Promise<void>;
  stop(): Promise<void>;
}

export type Outage = 'stop' | 'kill' | 'freeze';

/** The address of a server that is not on loopback. */
export interface Elsewhere {
  address: string;
  /** Who may connect. */
  network: string;
  /** The command prefix that starts a command there, as root. */
  on: readonly string[];
}

/** Starts a real PostgreSQL, on loopback with a random password, in a temporary folder. */
export async function startPostgres(elsewhere?: Elsewhere): Promise<RunningPostgres> {
  const account = unprivileged();
  reapAbandoned(account);
  const dir = makePostgresFolder(account);
  try {
    const binaries = readableBy(account, await findBinaries(), dir);
    const password = randomBytes(18).toString('base64url');
    initdb(binaries, dir, password, account);
    if (elsewhere)
      appendFileSync(join(dir, 'data/pg_hba.conf'), `host all all ${elsewhere.network} scram-sha-256\n`);
    let { server, port } = await start(binaries, dir, account, elsewhere);
    let unwatch = watchOver(dir, server, account);
    const url = `postgres://postgres:${password}@${elsewhere?.address ?? LOOPBACK}:${port}/postgres?sslmode=disable`;
    return {
      url,
      createDatabase: () => createDatabase(url),
      async halt(how) {
        if (how === 'stop') await stop(server);
        else if (how === 'freeze') signalAll(server, 'SIGSTOP');
        else {
          const closed = once(server, 'close');
          signalAll(server, 'SIGKILL');
          await closed;
        }
      },
      async bringBack() {
        if (isRunning(server)) return signalAll(server, 'SIGCONT');
        unwatch();
        ({ server } = await start(binaries, dir, account, elsewhere, port));
        unwatch = watchOver(dir, server, account);
      },
      stop: async () => {
        unwatch();
        signalAll(server, 'SIGCONT');
        await stop(server, 'SIGQUIT'); // at once: nothing is left to write into a folder that is removed
        rmSync(dir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

/** Creates a new, empty database next to the one in `url`. */
export async function createDatabase(url: string): Promise<string> {
  const name = `t_${randomBytes(8).toString('hex')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const fresh = new URL(url);
  fresh.pathname = `/${name}`;
  return fresh.href;
}

function initdb(binaries: PostgresBinaries, dir: string, password: string, account: Account): void {
  const passwordFile = join(dir, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  give(passwordFile, account);
  const args = ['--pgdata', join(dir, 'data'), '--username=postgres', `--pwfile=${passwordFile}`];
  args.push('--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync');
  // Tests open many connections, and guessing a password that lives for a minute does not matter.
  args.push('--set', 'scram_iterations=64');
  execFileSync(binaries.initdb, args, { ...account, cwd: dir, stdio: 'pipe' });
  rmSync(passwordFile);
}

const LOOPBACK = '127.0.0.1';

// fsync stays on, as by default: crash tests rely on it.
const SETTINGS = {
  unix_socket_directories: '',
  max_connections: '300',
  jit: 'off',
  // Every minute it would look at each of the databases, which are small and live for seconds.
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

async function start(
  binaries: PostgresBinaries,
  dir: string,
  account: Account,
  elsewhere: Elsewhere | undefined,
  usual?: number,
) {
  const [command = '', ...first] = elsewhere
    ? [...elsewhere.on, ...becoming(account), binaries.postgres]
    : [binaries.postgres];
  const listen_addresses = elsewhere?.address ?? LOOPBACK;
  for (let attempt = 1; ; attempt++) {
    const port = usual ?? (await freePort());
    const settings = Object.entries({ ...SETTINGS, listen_addresses, port }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const server = spawn(command, [...first, '-D', join(dir, 'data'), ...settings], {
      ...(elsewhere ? {} : account),
      cwd: dir,
      detached: true, // Ctrl-C is for the tests, which stop the server when they are done
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const problem = await readiness(server);
    if (problem === undefined) return { server, port };
    const portWasTaken = problem.includes('could not bind');
    if (!portWasTaken || attempt === 5) throw new Error(`PostgreSQL did not start:\n${problem}`);
  }
}

const becoming = (account: Account) =>
  'uid' in account ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'] : [];

/** Resolves to undefined when the server accepts connections, or to its last output. */
function readiness(server: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.on('data', (chunk) => {
      log = (log + chunk).slice(-8000);
      if (log.includes('ready to accept connections')) resolve(undefined);
    });
    server.once('error', reject);
    server.once('close', () => resolve(log));
  });
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

/** Each connection has its own process. The first one looks after the others, so it is stopped first and continued last. */
function signalAll(server: ChildProcess, signal: NodeJS.Signals): void {
  if (!isRunning(server) || server.pid === undefined) return;
  if (signal !== 'SIGCONT') kill(server.pid, signal);
  for (const pid of descendants(server.pid)) kill(pid, signal);
  if (signal === 'SIGCONT') kill(server.pid, signal);
}

/** By default a fast shutdown, which does not wait for clients. */
async function stop(server: ChildProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  if (!isRunning(server)) return;
  const closed = once(server, 'close');
  server.kill(signal);
  const impatience = setTimeout(() => server.kill('SIGQUIT'), 10_000);
  await closed;
  clearTimeout(impatience);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('the probe listens on no port');
  return address.port;
}
