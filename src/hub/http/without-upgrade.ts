import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

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
