import type { Hono } from 'hono';
import { generateCookie } from 'hono/cookie';
import * as z from 'zod';
import { check } from '../ledger/check.ts';
import { Identity } from '../schema/credential.ts';
import { FermataError } from '../schema/error.ts';
import { identify, isOwnerToken, ownerOf, splitSecret } from './auth/authenticate.ts';
import type { Caller } from './auth/caller.ts';
import { type HubContext, type HubEnv, jsonResponse } from './http/context.ts';
import type { Entry } from './openapi.ts';
import type { HubParts } from './parts.ts';
import { readJson } from './read-body.ts';

/** Small, because anybody may send one. */
const MAX_LOGIN_SIZE = 4096;
const SESSION_SECONDS = 30 * 86400;
const TICKET_SECONDS = 30;
/** The code may be in the log of a service, which others can read later. */
const LOGIN_SECONDS = 10 * 60;

const LogIn = z.union(
  [z.strictObject({ code: z.string().max(200) }), z.strictObject({ token: z.string().max(200) })],
  'it must be {"code":"…"} (from the login link, after "#login="), or {"token":"…"}',
);

export const sessionEntries: Entry[] = [
  {
    operationId: 'logIn',
    method: 'post',
    path: '/session',
    summary: 'Logs a browser in with the code of a login link, or with the token of a person.',
    description:
      'The response sets a cookie. Each later request needs that cookie and `pageKey` in the header X-Fermata-Page-Key.',
    who: 'public',
    body: LogIn,
    statuses: [201],
    data: Identity.extend({ pageKey: z.string() }),
  },
  {
    operationId: 'getSession',
    method: 'get',
    path: '/session',
    summary: 'Returns who you are.',
    who: 'anybody',
    data: Identity,
  },
  {
    operationId: 'logOut',
    method: 'delete',
    path: '/session',
    summary: 'Logs the browser out.',
    who: 'anybody',
    only: 'session',
    data: z.null(),
  },
  {
    operationId: 'makeSocketTicket',
    method: 'post',
    path: '/ws-ticket',
    summary: 'Creates a ticket that opens one socket within 30 s, for clients that cannot send a token.',
    who: 'anybody',
    statuses: [201],
    data: z.object({ ticket: z.string() }),
  },
];

/** Logs a browser in and out, and issues tickets for sockets. */
export function addSession(api: Hono<HubEnv>, parts: HubParts): void {
  const { credentials } = parts.ledger;

  api.post('/session', async (c) => {
    const who = await logIn(parts, check(LogIn, await readJson(c, MAX_LOGIN_SIZE), 'Body'));
    const { id: parent, name, role, projectId } = who;
    const of = { name, role, projectId, parent };
    const { secret } = await credentials.make({ kind: 'session', seconds: SESSION_SECONDS, ...of });
    const { cookie: half, pageKey } = splitSecret(secret);
    const cookie = sessionCookie(c, parts.auth.cookieName, half, SESSION_SECONDS);
    return jsonResponse({ data: { name, role, projectId, pageKey } }, 201, { 'set-cookie': cookie });
  });

  api.get('/session', async (c) => {
    const { name, role, projectId } = await identify(c, parts);
    return jsonResponse({ data: { name, role, projectId } });
  });

  api.delete('/session', async (c) => {
    const caller = await identify(c, parts);
    if (caller.by !== 'cookie' || caller.id === null) {
      throw new FermataError('invalid', 'This request came with a token, not from a session.');
    }
    await credentials.endSession(caller.id);
    const cookie = sessionCookie(c, parts.auth.cookieName, '', 0);
    return jsonResponse({ data: null }, 200, { 'set-cookie': cookie });
  });

  api.post('/ws-ticket', async (c) => {
    const { id: parent, name, role, projectId } = await identify(c, parts);
    const of = { name, role, projectId, parent };
    const { secret } = await credentials.make({ kind: 'ticket', seconds: TICKET_SECONDS, ...of });
    return jsonResponse({ data: { ticket: secret } }, 201);
  });
}

/** A one-time code for the link that `serve` prints. */
export async function loginCode({ ledger, auth }: Pick<HubParts, 'ledger' | 'auth'>): Promise<string> {
  const { name, role, projectId, id: parent } = ownerOf(auth);
  const of = { name, role, projectId, parent };
  return (await ledger.credentials.make({ kind: 'login', seconds: LOGIN_SECONDS, ...of })).secret;
}

async function logIn({ ledger, auth }: HubParts, given: z.infer<typeof LogIn>): Promise<Omit<Caller, 'by'>> {
  if ('code' in given) {
    const found = await ledger.credentials.redeem(given.code, 'login');
    if (found) return { ...found, id: found.parent };
    throw new FermataError(
      'unauthorized',
      'This login link was already used or has expired. Run "fermata serve" again for a new one, or log in with the token.',
    );
  }
  if (isOwnerToken(auth, given.token)) return ownerOf(auth);
  const found = await ledger.credentials.find(given.token);
  if (found?.kind === 'token' && found.role === 'human') return found;
  throw new FermataError('unauthorized', found?.kind === 'token' ? AGENTS_TOKEN : WRONG_TOKEN);
}

const AGENTS_TOKEN = "This is an agent's token. Log in with a person's token.";
const WRONG_TOKEN =
  'The token is unknown to this hub or was revoked. Copy it from the file "token" in Fermata\'s home folder, or open the login link that "fermata serve" printed.';

/** `SameSite=Strict`: the browser never sends it with a request that another site causes. */
function sessionCookie(c: HubContext, name: string, value: string, maxAge: number): string {
  const secure = c.req.header('x-forwarded-proto') === 'https';
  return generateCookie(name, value, { maxAge, path: '/', httpOnly: true, sameSite: 'Strict', secure });
}
