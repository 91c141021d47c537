import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fermataHome } from '../../config/home.ts';
import { personalConfig } from '../../config/personal-config.ts';
import { findRepository, type Repository } from '../../config/repository.ts';
import { realPath } from '../../files/real-path.ts';
import { isServer } from '../../schema/address.ts';
import { findProgram, ownProgram } from '../process/program.ts';
import { isInside, type Mount, type Sandbox } from './arguments.ts';
import { gitMounts } from './git-mounts.ts';
import { systemMounts, temporaryFolders } from './system.ts';

type Env = Record<string, string | undefined>;

/** Whether agents and gate commands run in a sandbox. Processes that run commands for agents inherit it. */
export const isSandboxed = (env: Env) => env.FERMATA_SANDBOX === '1';

/** The sandbox for programs that may change `folder`; undefined if no sandbox is wanted. */
export function sandboxFor(
  env: Env,
  folder: string,
  { shown = [], commits = false }: { shown?: string[]; commits?: boolean } = {},
): Sandbox | undefined {
  if (!isSandboxed(env)) return undefined;
  const own = sandboxFolder(env, folder);
  const home = env.HOME || homedir();
  mkdirSync(join(own, 'home'), { recursive: true, mode: 0o700 });
  const repository = findRepository(folder, env);
  const surroundings = [
    ...systemMounts(env.PATH),
    ...temporaryFolders(env.TMPDIR || tmpdir()),
    { path: home, from: join(own, 'home'), writable: true },
    ...chosen(env, home),
    ...readable([...installation(), ...nameServers()]),
    ...writable([folder]),
  ];
  return {
    bwrap: findProgram('bwrap', env, folder) ?? 'bwrap',
    mounts: [
      ...surroundings,
      ...secrets(env, folder, repository).flatMap((path) => covers(path, surroundings)),
      ...readable(shown),
      ...gitMounts(repository, commits ? own : undefined),
    ],
  };
}

const readable = (paths: string[]): Mount[] => paths.map((path) => ({ path, writable: false }));
const writable = (paths: string[]): Mount[] => paths.map((path) => ({ path, writable: true }));

/** What the person lists in their own configuration; nothing in the data folder. */
function chosen(env: Env, home: string): Mount[] {
  const { read = [], write = [] } = personalConfig(env).sandbox ?? {};
  const data = realPath(fermataHome(env));
  const paths = (listed: string[]) =>
    listed
      .map((path) => path.replace(/^~(?=\/)/, home))
      .filter((path) => !existsSync(path) || !isInside(realPath(path), data));
  return [...readable(paths(read)), ...writable(paths(write))];
}

/** What no sandbox shows, wherever it is: the data folder, the ledger, and the person's own checkout. */
function secrets(env: Env, folder: string, repository: Repository | undefined): string[] {
  const store = env.FERMATA_STORE;
  const files =
    store && !isServer(store) ? ['', '-wal', '-shm'].map((end) => resolve(folder, store) + end) : [];
  const checkout =
    repository && repository.gitDir !== repository.commonDir && basename(repository.commonDir) === '.git'
      ? [dirname(repository.commonDir)]
      : [];
  return [fermataHome(env), ...files, ...checkout];
}

/** Covers a file or folder in each of these mounts that shows it. */
function covers(secret: string, mounts: Mount[]): Mount[] {
  const found = statSync(secret, { throwIfNoEntry: false });
  if (!found) return [];
  const real = realPath(secret);
  const empty = found.isDirectory() ? 'folder' : 'file';
  return mounts
    .filter((mount) => mount.empty === undefined && existsSync(mount.from ?? mount.path))
    .map(({ path, from = path }) => ({ path, shown: realPath(from) }))
    .filter(({ shown }) => isInside(real, shown))
    .map(({ path, shown }) => ({ path: path + real.slice(shown.length), writable: false, empty }));
}

/** Where a sandbox keeps its home and its part of git between two runs of an agent. */
export function sandboxFolder(env: Env, folder: string): string {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return join(fermataHome(env), 'sandboxes', name);
}

/** Node with npm, and our own commands. Node's folder may have more: it is ~/.local if Node is in ~/.local/bin. */
function installation(): string[] {
  const node = dirname(dirname(realPath(process.execPath)));
  const ours = dirname(dirname(ownProgram('fermata.cjs')));
  return [
    ...['bin', 'include/node', 'lib/node_modules'].map((part) => join(node, part)),
    ...['bin', 'dist'].map((part) => join(ours, part)),
  ];
}

function nameServers(): string[] {
  const file = '/etc/resolv.conf';
  const real = existsSync(file) ? realPath(file) : file;
  return real === file ? [] : [real];
}
