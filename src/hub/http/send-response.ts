import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HubResponse, StreamResponse } from './message.ts';

export async function sendResponse(outgoing: ServerResponse, response: HubResponse): Promise<void> {
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
