import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, give } from './postgres-account.ts';

const PREFIX = 'fermata-pg-';

/** A temporary folder with the name of its owner: see reapAbandoned. */
export function makePostgresFolder(account: Account): string {
  const dir = mkdtempSync(join(tmpdir(), PREFIX));
  writeFileSync(join(dir, 'owner'), String(process.pid));
  give(dir, account);
  return dir;
}

/**
 * Stops the server and removes its folder when this process is killed: a shell waits for the end of a pipe that only we
 * hold open. Returns how to cancel that.
 */
export function watchOver(dir: string, server: ChildProcess, account: Account): () => void {
  const script =
    'read _; kill -INT "$1"; n=0; while kill -0 "$1" && [ $n -lt 50 ]; do sleep 0.1; n=$((n+1)); done; rm -rf "$2"';
  const watchdog = spawn('/bin/sh', ['-c', script, 'watchdog', String(server.pid), dir], {
    ...account,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return () => watchdog.kill('SIGKILL');
}

/**
 * Removes what a killed run left unwatched. A server whose folder is gone stops by itself within a minute; we do not
 * signal a pid from a folder that anybody may have created.
 */
export function reapAbandoned(account: Account): void {
  const uid = 'uid' in account ? account.uid : process.getuid?.();
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const dir = join(tmpdir(), name);
    const isOurs = uid === undefined || lstatSync(dir).uid === uid;
    const ownerFile = join(dir, 'owner');
    if (!isOurs || !existsSync(ownerFile) || isAlive(Number(readFileSync(ownerFile, 'utf8')))) continue;
    rmSync(dir, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
