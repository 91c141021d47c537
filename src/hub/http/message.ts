import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { ReadableStream } from 'node:stream/web';

/** A request that matched a route. */
export interface HubRequest {
  incoming: IncomingMessage;
  method: string;
  /** As it was sent, without the query. */
  path: string;
  /** The named parts of the path: `project`, `task`, … */
  params: Record<string, string>;
  /** The query; if a name is repeated, the first value. */
  query(): Record<string, string>;
}

export interface WholeResponse {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string | Uint8Array;
}

/** A response that is sent while it is generated. */
export interface StreamResponse {
  status: number;
  headers: OutgoingHttpHeaders;
  stream: ReadableStream;
  /** Called once: when the client has all of it, or is gone. */
  ended(isComplete: boolean): Promise<void>;
}

export type HubResponse = WholeResponse | StreamResponse;

export type Serve = (request: HubRequest) => Promise<HubResponse>;

/** Data is for the caller only, and must never be interpreted as anything else. */
const DATA_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

export function jsonResponse(body: unknown, status = 200, headers?: OutgoingHttpHeaders): WholeResponse {
  return {
    status,
    headers: headers ? { ...DATA_HEADERS, ...headers } : DATA_HEADERS,
    body: JSON.stringify(body),
  };
}
