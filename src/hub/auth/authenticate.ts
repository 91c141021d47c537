import { timingSafeEqual } from 'node:crypto';
import type { CredentialRegister } from '../../ledger/credential-register.ts';
import { FermataError } from '../../schema/error.ts';
import type { Caller } from './caller.ts';

/** What a request brings to prove who it is from. */
export interface Proof {
  authorization?: string;
  cookie?: string;
}

export interface Door {
  credentials: CredentialRegister;
  /** The hub's own token, from the file that only its owner can read. */
  token: string;
  /** In whose name that token acts. */
  owner: string;
  cookieName: string;
}

/** Who sent this; throws where that is not proven. */
export async function authenticate(door: Door, proof: Proof): Promise<Caller> {
  const caller =
    proof.authorization === undefined
      ? await byCookie(door, proof.cookie)
      : await byToken(door, proof.authorization);
  if (caller) return caller;
  throw new FermataError(
    'unauthorized',
    'This needs a token: send "Authorization: Bearer TOKEN", or open the log-in link that "fermata serve" printed.',
  );
}

/** The hub's own token, by a compare whose time tells nothing. */
export function isOwnerToken(door: Door, secret: string): boolean {
  const [given, ours] = [Buffer.from(secret), Buffer.from(door.token)];
  return given.length === ours.length && timingSafeEqual(given, ours);
}

export const ownerOf = ({ owner }: Door) =>
  ({ id: null, name: owner, role: 'human', projectId: null }) as const;

async function byToken(door: Door, authorization: string): Promise<Caller | undefined> {
  const secret = /^Bearer +([\w-]{20,200})$/i.exec(authorization)?.[1];
  if (secret === undefined) return undefined;
  if (isOwnerToken(door, secret)) return { ...ownerOf(door), by: 'token' };
  const found = await door.credentials.find(secret);
  return found?.kind === 'token' ? toCaller(found, 'token') : undefined;
}

async function byCookie(door: Door, header: string | undefined): Promise<Caller | undefined> {
  const secret = header === undefined ? undefined : cookieOf(header, door.cookieName);
  const found = secret === undefined ? undefined : await door.credentials.find(secret);
  return found?.kind === 'session' ? toCaller(found, 'cookie') : undefined;
}

export function toCaller({ id, name, role, projectId }: Omit<Caller, 'by'>, by: Caller['by']): Caller {
  return { id, name, role, projectId, by };
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
