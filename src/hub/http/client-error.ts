import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../schema/error.ts';

/** Responds to a malformed request with an error in the usual format, and closes the connection. */
export function refuseClient(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, code, message } = refusalOf(error.code);
  socket.end(closingResponse(status, { error: { code, message } }), () => socket.destroy());
}

function refusalOf(reason: string | undefined): { status: number; code: ErrorCode; message: string } {
  switch (reason) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, code: 'timeout', message: 'The request did not arrive in time.' };
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, code: 'too_large', message: 'The headers or the URL are too long.' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, code: 'too_large', message: 'The extensions of a chunk are too long.' };
    default:
      return { status: 400, code: 'invalid', message: 'Malformed HTTP/1.1 request.' };
  }
}

/** A raw response for a connection that ends with it, when there is no response object. */
export function closingResponse(status: number, body: object, headers: Record<string, string> = {}): string {
  const text = JSON.stringify(body);
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n${more.join('')}\r\n${text}`;
}

/**
 * Serves a request as if it had not asked for a protocol upgrade, which a server may do: Java's client offers `h2c` with
 * each first request. Node has detached the connection by then, so it gets it back with the request minus the upgrade.
 * The connection ends with the response, because otherwise repeated requests would pile up listeners on it.
 */
export function serveWithoutUpgrade(
  server: Server,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`, 'Connection: close'];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!OF_THE_CONNECTION.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  socket.unshift(head);
  socket.unshift(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  server.emit('connection', socket);
}

const OF_THE_CONNECTION = new Set(['connection', 'upgrade', 'http2-settings', 'keep-alive']);
