import { once } from 'node:events';
import { type IncomingMessage, request as requestPlainly } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { Readable } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';

export interface Sent {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

const MAX_REDIRECTS = 5;

/** Like `fetch`, through a proxy, which only sees the name of the server. */
export async function sendThrough(proxy: URL, url: string, { body, ...options }: Sent): Promise<Response> {
  let at = new URL(url);
  for (let redirects = 0; ; redirects += 1) {
    const socket = await tunnel(proxy, at, options.signal);
    const reply = await replyTo(at, { ...options, createConnection: () => socket }, body);
    const next = options.method === 'GET' && redirects < MAX_REDIRECTS ? nextPlace(at, reply) : undefined;
    if (next === undefined) return asResponse(reply);
    reply.destroy();
    at = next;
  }
}

async function tunnel(proxy: URL, { hostname, port }: URL, signal: AbortSignal): Promise<TLSSocket> {
  const server = `${hostname}:${port || 443}`;
  const user = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const asked = (proxy.protocol === 'https:' ? request : requestPlainly)({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || undefined,
    method: 'CONNECT',
    path: server,
    headers: {
      host: server,
      ...(user === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
    },
    signal,
  }).end();
  const [{ statusCode }, socket] = await once(asked, 'connect');
  if (statusCode === 200) return connect({ socket, servername: hostname });
  socket.destroy();
  const advice =
    statusCode === 407 ? ' (it requires a user and password: http://USER:PASSWORD@HOST:PORT)' : '';
  throw new Error(`the proxy answered with HTTP ${statusCode}${advice}`);
}

function replyTo(at: URL, options: RequestOptions, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(at, options, resolve).on('error', reject).end(body);
  });
}

/** The target of a redirect; never another server, because the token is sent with it. */
function nextPlace(at: URL, { statusCode = 0, headers: { location } }: IncomingMessage): URL | undefined {
  if (![301, 302, 307, 308].includes(statusCode) || !location || !URL.canParse(location, at.href))
    return undefined;
  const next = new URL(location, at);
  return next.origin === at.origin ? next : undefined;
}

function asResponse(reply: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(reply.headersDistinct))
    for (const value of values) headers.append(name, value);
  return new Response(Readable.toWeb(reply) as ReadableStream, { status: reply.statusCode ?? 0, headers });
}
