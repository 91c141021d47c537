import { timingSafeEqual } from 'node:crypto';
import { getCookie } from 'hono/cookie';
import type { CredentialRegister } from '../../ledger/access/credential-register.ts';
import { SECRET_PREFIX } from '../../ledger/ids.ts';
import { FermataError } from '../../schema/error.ts';
import type { HubContext } from '../http/context.ts';
import { requireOrigin } from './allowed-hosts.ts';
import type { Caller } from './caller.ts';

/** The credentials that a request brings. */
export interface Proof {
  authorization?: string;
  session?: Partial<SessionHalves>;
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
      ? await bySession(auth, proof.session)
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

async function bySession(auth: AuthConfig, halves: Partial<SessionHalves> = {}): Promise<Caller | undefined> {
  const secret = joinHalves(halves);
  const found = secret === undefined ? undefined : await auth.credentials.find(secret);
  return found?.kind === 'session' ? toCaller(found, 'cookie') : undefined;
}

export function toCaller({ id, name, role, projectId }: Omit<Caller, 'by'>, by: Caller['by']): Caller {
  return { id, name, role, projectId, by };
}

/** Who sent it. A request that uses a session and changes something must also come from our own page. */
export async function identify(c: HubContext, { auth }: { auth: AuthConfig }): Promise<Caller> {
  const caller = await authenticate(auth, {
    authorization: c.req.header('authorization'),
    session: { cookie: getCookie(c, auth.cookieName), pageKey: c.req.header(PAGE_KEY_HEADER) },
  });
  if (caller.by === 'cookie' && c.req.method !== 'GET') requireOrigin(c.req.header('origin'));
  return caller;
}

/** The page sends its half of the session's secret in this header. */
export const PAGE_KEY_HEADER = 'x-fermata-page-key';

/** The two halves of a session's secret; either alone proves nothing. */
interface SessionHalves {
  /** In a cookie that no script can read. Browsers send it to every port of the host. */
  cookie: string;
  /** In the storage of the page's origin, which includes the port. */
  pageKey: string;
}

/** Each half has more than 120 random bits; the prefix has none. */
export function splitSecret(secret: string): SessionHalves {
  const middle = Math.floor((secret.length + SECRET_PREFIX.length) / 2);
  return { cookie: secret.slice(0, middle), pageKey: secret.slice(middle) };
}

/** The whole secret; undefined if a half is missing. */
function joinHalves({ cookie, pageKey }: Partial<SessionHalves>): string | undefined {
  return cookie && pageKey ? cookie + pageKey : undefined;
}
