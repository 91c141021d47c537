import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';

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
