import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fermataHome } from '../../config/home.ts';
import { personalConfig } from '../../config/personal-config.ts';
import { findRepository } from '../../config/repository.ts';
import { realPath } from '../../files/real-path.ts';
import { ownProgram } from '../process/own-program.ts';
import { findProgram } from '../process/program.ts';
import type { Mount, Sandbox } from './arguments.ts';
import { gitMounts } from './git-mounts.ts';

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
  const { read = [], write = [] } = personalConfig(env).sandbox ?? {};
  const inHome = (path: string) => path.replace(/^~(?=\/)/, home);
  return {
    bwrap: findProgram('bwrap', env, folder) ?? 'bwrap',
    temporary: [...new Set(['/tmp', tmpdir(), '/run'])],
    mounts: [
      { path: home, from: join(own, 'home'), writable: true },
      ...readable(read.map(inHome)),
      ...writable(write.map(inHome)),
      ...writable([folder]),
      ...readable([...installation(), ...nameServers(), ...shown]),
      ...gitMounts(findRepository(folder, env), commits ? own : undefined),
    ],
  };
}

const readable = (paths: string[]): Mount[] => paths.map((path) => ({ path, writable: false }));
const writable = (paths: string[]): Mount[] => paths.map((path) => ({ path, writable: true }));

/** Where a sandbox keeps its home and its part of git between two runs of an agent. */
export function sandboxFolder(env: Env, folder: string): string {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return join(fermataHome(env), 'sandboxes', name);
}

/** Node and our own commands, unless they are in the system's folders. */
function installation(): string[] {
  const bin = dirname(ownProgram('fermata.cjs'));
  return [dirname(dirname(realPath(process.execPath))), bin, join(dirname(bin), 'dist')].filter(
    (path) => path !== '/usr' && path !== '/',
  );
}

function nameServers(): string[] {
  const file = '/etc/resolv.conf';
  const real = existsSync(file) ? realPath(file) : file;
  return real === file ? [] : [real];
}
