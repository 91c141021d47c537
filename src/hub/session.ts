import type { Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import * as z from 'zod';
import { check } from '../ledger/check.ts';
import { Identity } from '../schema/credential.ts';
import { FermataError } from '../schema/error.ts';
import { isOwnerToken, ownerOf } from './auth/authenticate.ts';
import type { Caller } from './auth/caller.ts';
import { identify } from './auth/identify.ts';
import type { Entry } from './openapi.ts';
import type { HubContext, HubEnv, HubParts } from './parts.ts';
import { readJson } from './read-body.ts';

const SESSION_SECONDS = 30 * 86400;
const TICKET_SECONDS = 30;
const LOGIN_SECONDS = 86400;

const LogIn = z.union([
  z.strictObject({ code: z.string().max(200) }),
  z.strictObject({ token: z.string().max(200) }),
]);

export const sessionEntries: Entry[] = [
  {
    method: 'post',
    path: '/session',
    summary:
      'Logs a browser in with the code of a log-in link, or with a token of a person; the reply sets a cookie.',
    who: 'public',
    body: LogIn,
    data: Identity,
  },
  { method: 'get', path: '/session', summary: 'Who you are.', who: 'anybody', data: Identity },
  { method: 'delete', path: '/session', summary: 'Logs the browser out.', who: 'anybody', data: z.null() },
  {
    method: 'post',
    path: '/ws-ticket',
    summary: 'A ticket that opens one socket within 30 s, for who cannot send a token with it.',
    who: 'anybody',
    data: z.object({ ticket: z.string() }),
  },
];

/** Logging a browser in and out, and the tickets by which it opens a socket. */
export function mountSession(app: Hono<HubEnv>, prefix: string, parts: HubParts): void {
  const { credentials } = parts.ledger;

  app.post(`${prefix}/session`, async (c) => {
    const who = await logIn(parts, check(LogIn, await readJson(c.env.incoming), 'Body'));
    const { id: parent, name, role, projectId } = who;
    const of = { name, role, projectId, parent };
    const { secret } = await credentials.make({ kind: 'session', seconds: SESSION_SECONDS, ...of });
    setCookie(c, parts.door.cookieName, secret, { ...cookieOptions(c), maxAge: SESSION_SECONDS });
    return c.json({ data: { name, role, projectId } }, 201);
  });

  app.get(`${prefix}/session`, async (c) => {
    const { name, role, projectId } = await identify(c, parts);
    return c.json({ data: { name, role, projectId } });
  });

  app.delete(`${prefix}/session`, async (c) => {
    const caller = await identify(c, parts);
    if (caller.by !== 'cookie' || caller.id === null) {
      throw new FermataError('invalid', 'This request came with a token, not from a session.');
    }
    await credentials.revoke(caller.id, 'session');
    setCookie(c, parts.door.cookieName, '', { ...cookieOptions(c), maxAge: 0 });
    return c.json({ data: null });
  });

  app.post(`${prefix}/ws-ticket`, async (c) => {
    const { id: parent, name, role, projectId } = await identify(c, parts);
    const of = { name, role, projectId, parent };
    const { secret } = await credentials.make({ kind: 'ticket', seconds: TICKET_SECONDS, ...of });
    return c.json({ data: { ticket: secret } }, 201);
  });
}

/** A one-time code for the link that `serve` prints. */
export async function loginCode({ ledger, door }: Pick<HubParts, 'ledger' | 'door'>): Promise<string> {
  const { name, role, projectId, id: parent } = ownerOf(door);
  const of = { name, role, projectId, parent };
  return (await ledger.credentials.make({ kind: 'login', seconds: LOGIN_SECONDS, ...of })).secret;
}

async function logIn({ ledger, door }: HubParts, given: z.infer<typeof LogIn>): Promise<Omit<Caller, 'by'>> {
  if ('code' in given) {
    const found = await ledger.credentials.redeem(given.code, 'login');
    if (found) return { ...found, id: found.parent };
    throw new FermataError(
      'unauthorized',
      'This log-in link was used already or has ended. Start "fermata serve" again for a new one, or log in with the token.',
    );
  }
  if (isOwnerToken(door, given.token)) return ownerOf(door);
  const found = await ledger.credentials.find(given.token);
  if (found?.kind === 'token' && found.role === 'human') return found;
  throw new FermataError('unauthorized', 'This is no token by which a person can log in.');
}

/** `SameSite=Strict`: the browser sends it with no request that another site causes. */
function cookieOptions(c: HubContext) {
  const secure = c.env.incoming.headers['x-forwarded-proto'] === 'https';
  return { httpOnly: true, sameSite: 'Strict', path: '/', secure } as const;
}
