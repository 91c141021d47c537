import type { CredentialRegister } from '../../ledger/access/credential-register.ts';
import type { By } from '../../schema/actor.ts';
import type { Identity } from '../../schema/credential.ts';
import { FermataError } from '../../schema/error.ts';

/** Who sent the request, and how they proved it. */
export interface Caller extends Identity {
  /** The credential's id; null for the hub's own token. */
  id: string | null;
  /** `cookie` is a browser's session: the cookie and the page's half of the secret. */
  by: 'token' | 'cookie' | 'ticket';
}

/** How the ledger records their actions. */
export function actorOf({ role, name, by }: Caller): By {
  return {
    actor: { kind: role === 'agent' ? 'agent' : 'person', name },
    channel: by === 'token' ? 'rest' : 'web',
  };
}

/** A project outside the token's scope does not exist for it. */
export function requireProject(caller: Caller, projectId: string): void {
  if (caller.projectId === null || caller.projectId === projectId) return;
  throw new FermataError('not_found', `There is no project ${projectId}.`);
}

export function requirePerson(caller: Caller): void {
  if (caller.role === 'human') return;
  throw new FermataError(
    'forbidden',
    "This is an agent's token. Agents may ask and work on tasks, but only a person may do this.",
  );
}

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
