import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Where a connection is cut during a commit: before the server gets it, or before we get the response. */
export type Cut = 'request' | 'response';

/** A proxy for the PostgreSQL at `url` that cuts the next committing connections as `cuts` says. */
export async function cuttingProxy(url: string, cuts: Cut[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isDeaf = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('data', (bytes) => {
      const cut = bytes.includes('; commit') ? cuts.shift() : undefined;
      if (cut === 'request') return end();
      isDeaf ||= cut === 'response';
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => (isDeaf ? end() : client.write(bytes)));
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    client.on('close', end);
    upstream.on('close', end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const through = new URL(url);
  through.port = String((server.address() as AddressInfo).port);
  return through.href;
}
