import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { ReadableStream } from 'node:stream/web';

/** A request that has found who serves it. */
export interface HubRequest {
  incoming: IncomingMessage;
  method: string;
  /** As it was sent, without what follows a `?`. */
  path: string;
  /** The parts of the path that are names: `project`, `task`, … */
  params: Record<string, string>;
  /** What follows the `?`; of what is given twice, the first. */
  query(): Record<string, string>;
}

export interface WholeResponse {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string | Uint8Array;
}

/** One that is sent while it is made. */
export interface StreamResponse {
  status: number;
  headers: OutgoingHttpHeaders;
  stream: ReadableStream;
  /** Called once: when the other end has all of it, or has gone. */
  ended(isComplete: boolean): Promise<void>;
}

export type HubResponse = WholeResponse | StreamResponse;

export type Serve = (request: HubRequest) => Promise<HubResponse>;

/** Data is for the caller alone, and is never anything but data. */
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
