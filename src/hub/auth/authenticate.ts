import { timingSafeEqual } from 'node:crypto';
import type { CredentialRegister } from '../../ledger/access/credential-register.ts';
import { FermataError } from '../../schema/error.ts';
import type { HubRequest } from '../http/message.ts';
import { requireOrigin } from './allowed-hosts.ts';
import type { Caller } from './caller.ts';
import { joinHalves, PAGE_KEY_HEADER } from './session-halves.ts';

/** The credentials that a request brings. */
export interface Proof {
  authorization?: string;
  cookie?: string;
  /** The page's half of its session. */
  pageKey?: string;
}

export interface AuthConfig {
  credentials: CredentialRegister;
  /** The hub's own token, from the file that only its owner can read. */
  token: string;
  /** The name under which that token acts. */
  owner: string;
  cookieName: string;
}

/** Who sent this; throws if that is not proven. */
export async function authenticate(auth: AuthConfig, proof: Proof): Promise<Caller> {
  const caller =
    proof.authorization === undefined
      ? await bySession(auth, proof)
      : await byToken(auth, proof.authorization);
  if (caller) return caller;
  throw new FermataError('unauthorized', proof.authorization === undefined ? NO_TOKEN : WRONG_TOKEN);
}

const NO_TOKEN =
  'A token is required. Send "Authorization: Bearer TOKEN", or open the login link that "fermata serve" printed.';
const WRONG_TOKEN =
  'The token is unknown to this hub or was revoked. Send "Authorization: Bearer TOKEN" with a token of this hub.';

/** Whether it is the hub's own token, compared in constant time. */
export function isOwnerToken(auth: AuthConfig, secret: string): boolean {
  const [given, ours] = [Buffer.from(secret), Buffer.from(auth.token)];
  return given.length === ours.length && timingSafeEqual(given, ours);
}

export const ownerOf = ({ owner }: AuthConfig) =>
  ({ id: null, name: owner, role: 'human', projectId: null }) as const;

async function byToken(auth: AuthConfig, authorization: string): Promise<Caller | undefined> {
  const secret = /^Bearer +([\w-]{20,200})$/i.exec(authorization)?.[1];
  if (secret === undefined) return undefined;
  if (isOwnerToken(auth, secret)) return { ...ownerOf(auth), by: 'token' };
  const found = await auth.credentials.find(secret);
  return found?.kind === 'token' ? toCaller(found, 'token') : undefined;
}

async function bySession(
  auth: AuthConfig,
  { cookie: header, pageKey }: Pick<Proof, 'cookie' | 'pageKey'>,
): Promise<Caller | undefined> {
  const cookie = header === undefined ? undefined : cookieOf(header, auth.cookieName);
  const secret = joinHalves({ cookie, pageKey });
  const found = secret === undefined ? undefined : await auth.credentials.find(secret);
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

/** Who sent it. A request that uses a session and changes something must also come from our own page. */
export async function identify(
  { incoming, method }: HubRequest,
  { auth }: { auth: AuthConfig },
): Promise<Caller> {
  const { authorization, cookie, origin, [PAGE_KEY_HEADER]: pageKey } = incoming.headers;
  const caller = await authenticate(auth, { authorization, cookie, pageKey: [pageKey].flat()[0] });
  if (caller.by === 'cookie' && method !== 'GET') requireOrigin(origin);
  return caller;
}
