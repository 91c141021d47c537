import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const BODY_LIMIT = 16 * 1024 * 1024;

/** One HTTP call, its body read. */
export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
  response: ServerResponse;
  /** Aborted when the caller hangs up, or the server is stopped. */
  gone: AbortSignal;
}

export interface Loopback {
  url: string;
  /** Hosts that were requested with this server as the proxy. None was reached. */
  strays: string[];
  /** Hangs up on everybody. Throws the first error of `handle`, so that a broken script fails its test. */
  stop(): Promise<void>;
}

/**
 * An HTTP server on 127.0.0.1, on a free port. It does not keep the process alive. As a proxy it notes the requested host
 * and refuses, so a program that has no other way out is offline, without any DNS.
 */
export async function listenOnLoopback(handle: (call: Call) => Promise<void>): Promise<Loopback> {
  const strays: string[] = [];
  const errors: unknown[] = [];
  const server = createServer((request, response) => {
    serve(request, response, handle, strays).catch((error: unknown) => {
      errors.push(error);
      if (!response.writableEnded) response.destroy();
    });
  });
  server.on('connect', (request, socket) => {
    strays.push(request.url ?? '');
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  });
  server.on('connection', (socket) => socket.unref());
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    if (server.listening) {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    }
    if (errors.length > 0) throw errors[0];
  };
  return { url: `http://127.0.0.1:${port}`, strays, stop };
}

export function sendJson(response: ServerResponse, status: number, value: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (call: Call) => Promise<void>,
  strays: string[],
): Promise<void> {
  const hangUp = new AbortController();
  response.on('close', () => hangUp.abort());
  response.on('error', () => undefined); // it hung up: `gone` says so
  const target = request.url ?? '/';
  if (!target.startsWith('/')) {
    strays.push(target);
    sendJson(response, 403, { error: 'this proxy leads nowhere' });
    return;
  }
  const body = await bodyOf(request);
  if (body === 'hung up') return;
  if (body === 'too large') {
    sendJson(response, 413, { error: `more than ${BODY_LIMIT} bytes` }, { connection: 'close' });
    return;
  }
  const { method = '', headers } = request;
  const { pathname: path, searchParams: query } = new URL(target, 'http://loopback');
  await handle({ method, path, query, headers, body: body.text, response, gone: hangUp.signal });
}

async function bodyOf(request: IncomingMessage): Promise<{ text: string } | 'too large' | 'hung up'> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= BODY_LIMIT) chunks.push(chunk);
    }
  } catch {
    return 'hung up';
  }
  return size > BODY_LIMIT ? 'too large' : { text: Buffer.concat(chunks).toString('utf8') };
}
