import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The account that runs the server: empty means this user. */
export type Account = Record<string, never> | { uid: number; gid: number };

/** PostgreSQL refuses to run as root, so `nobody` runs it then. */
export function unprivileged(): Account {
  if (process.getuid?.() !== 0) return {};
  const ask = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: ask('-u'), gid: ask('-g') };
}

export function give(path: string, account: Account): void {
  if ('uid' in account) chownSync(path, account.uid, account.gid);
}

/** Gives a folder with everything in it, and lets others enter it. */
export function giveAll(folder: string, account: Account): void {
  if (!('uid' in account)) return;
  chmodSync(folder, 0o755);
  give(folder, account);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) give(join(entry.parentPath, entry.name), account);
  }
}
