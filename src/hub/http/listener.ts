import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkHost, checkOrigin } from '../auth/allowed-hosts.ts';
import { httpError, isInside } from '../http-error.ts';
import type { HubParts } from '../parts.ts';
import { type HubResponse, jsonResponse, type Serve, type StreamResponse } from './message.ts';
import type { Router } from './router.ts';
import { targetOf } from './target.ts';

/** Handles every request with the route of its path, or with `otherwise`; turns what they throw into a response. */
export function requestListener(router: Router, otherwise: Serve, parts: HubParts) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const start = performance.now();
    const { method = '' } = incoming;
    const response = await answer(incoming, router, otherwise, parts).catch((error: unknown) =>
      refusal(error, parts),
    );
    parts.metrics.counted(method, response.status, (performance.now() - start) / 1000);
    await sendResponse(outgoing, response).catch(parts.report);
  };
}

async function answer(
  incoming: IncomingMessage,
  router: Router,
  otherwise: Serve,
  { allowed }: HubParts,
): Promise<HubResponse> {
  const { host, path, search } = targetOf(incoming);
  checkHost(allowed, host);
  // Node omits the body of a response to HEAD.
  const method = incoming.method === 'HEAD' ? 'GET' : (incoming.method ?? '');
  if (method !== 'GET') checkOrigin(allowed, host, incoming.headers.origin);
  const { serve, params } = router.find(method, path) ?? { serve: otherwise, params: {} };
  const query = () => Object.fromEntries([...new URLSearchParams(search)].reverse());
  return serve({ incoming, method, path, params, query });
}

function refusal(error: unknown, { report }: HubParts): HubResponse {
  if (isInside(error)) report(error);
  const { status, headers, body } = httpError(error);
  return jsonResponse(body, status, headers);
}

async function sendResponse(outgoing: ServerResponse, response: HubResponse): Promise<void> {
  if ('stream' in response) return sendStream(outgoing, response);
  const { status, headers, body } = response;
  outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  outgoing.end(body);
}

async function sendStream(outgoing: ServerResponse, { status, headers, stream, ended }: StreamResponse) {
  outgoing.writeHead(status, headers);
  outgoing.flushHeaders();
  const isComplete = await pipeline(Readable.fromWeb(stream), outgoing).then(
    () => true,
    () => false, // the client is gone
  );
  await ended(isComplete);
}
