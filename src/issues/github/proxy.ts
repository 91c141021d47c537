import { once } from 'node:events';
import { type IncomingMessage, request as requestPlainly } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { Readable } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import type { Env } from '../../config/home.ts';
import { isLoopback } from '../../config/loopback.ts';
import { FermataError } from '../../schema/error.ts';

/** The proxy for an address, from the person's environment; undefined to connect directly. */
export function proxyFor({ protocol, hostname, port }: URL, env: Env): URL | undefined {
  const name = ['HTTPS_PROXY', 'https_proxy'].find((each) => env[each]?.trim());
  const written = name === undefined ? '' : (env[name] ?? '').trim();
  // Without TLS the proxy could read the token.
  if (written === '' || protocol !== 'https:' || isLoopback(hostname)) return undefined;
  if (isExcepted(hostname, port || '443', env.NO_PROXY || env.no_proxy || '')) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy;
  throw new FermataError(
    'invalid',
    `${name} is not a supported proxy URL. Example: http://proxy.example.com:3128`,
  );
}

/** `NO_PROXY=example.com,.internal,10.0.0.1:8443,*`: a name includes its subdomains. */
function isExcepted(hostname: string, port: string, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    const [, host = '', only = port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const name = host.replace(/^\*?\./, '');
    if (name === '' || only !== port) return false;
    return name === '*' || hostname === name || hostname.endsWith(`.${name}`);
  });
}

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
