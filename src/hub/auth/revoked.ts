import type { CredentialRegister } from '../../ledger/access/credential-register.ts';
import type { Caller } from './caller.ts';

/** Those whose token or session is no longer valid. */
export async function revokedAmong<T extends { caller: Caller }>(
  credentials: CredentialRegister,
  entries: readonly T[],
): Promise<T[]> {
  const ids = new Set(entries.flatMap(({ caller }) => caller.id ?? []));
  if (ids.size === 0) return [];
  const alive = await credentials.alive([...ids]);
  return entries.filter(({ caller }) => caller.id !== null && !alive.has(caller.id));
}
