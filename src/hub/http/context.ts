import type { Writable } from 'node:stream';
import type { Context } from 'hono';
import type { Target } from './target.ts';

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
