import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import type { Context } from 'hono';
import { FermataError } from '../../schema/error.ts';

/** What the routes have besides the request. */
export interface HubEnv {
  Bindings: {
    target: Target;
    /** Node's response, which tells when it is sent. */
    outgoing: Writable;
  };
}

export type HubContext = Context<HubEnv>;

/** Data is for the caller only, and must never be interpreted as anything else. */
const DATA_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

export function jsonResponse(body: unknown, status = 200, headers?: Record<string, string>): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...DATA_HEADERS, ...headers } });
}

/** The host and the path of a request. */
interface Target {
  host: string | undefined;
  /** As it was sent, without the query. */
  path: string;
  /** The query, without its `?`. */
  search: string;
}

/** A proxy may send the whole URL. Then the `Host` header must name the same host, so that there is one name to check. */
export function targetOf({
  url = '',
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>): Target {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at])) hosts++;
  if (hosts > 1) throw new FermataError('invalid', 'The request has more than one "Host" header.');
  if (url.startsWith('/')) return { host: headers.host, ...split(url) };
  const [whole, host] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (whole === undefined || host === undefined)
    throw new FermataError('invalid', 'The request target must start with "/" or "http://".');
  if (host.toLowerCase() !== headers.host?.toLowerCase())
    throw new FermataError('invalid', 'The request target and the "Host" header must name the same host.');
  return { host, ...split(url.slice(whole.length)) };
}

function split(rest: string): Pick<Target, 'path' | 'search'> {
  const mark = rest.indexOf('?');
  return mark === -1
    ? { path: rest || '/', search: '' }
    : { path: rest.slice(0, mark) || '/', search: rest.slice(mark + 1) };
}

const isHost = (name: string | undefined) => name?.length === 4 && name.toLowerCase() === 'host';
