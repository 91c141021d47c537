import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { onTestFinished } from 'vitest';

/** Key and certificate of a server that does not exist; made for these tests, valid until 2120. */
export const CERTIFICATE = join(import.meta.dirname, 'api.github.test.pem');

/** A proxy on loopback that leads to one server behind TLS, whatever host is asked for. */
export async function proxyTo(server: string, { user }: { user?: string } = {}) {
  const asked: { host: string | undefined; user: string }[] = [];
  const pem = readFileSync(CERTIFICATE);
  const port = Number(new URL(server).port);
  const tls = await listening(
    createTlsServer({ cert: pem, key: pem }, (socket) => {
      const behind = connect(port, '127.0.0.1');
      socket.on('error', () => behind.destroy());
      behind.on('error', () => socket.destroy());
      socket.pipe(behind).pipe(socket);
    }),
  );
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    const [, basic = ''] = /^Basic (.*)$/.exec(request.headers['proxy-authorization'] ?? '') ?? [];
    asked.push({ host: request.url, user: Buffer.from(basic, 'base64').toString() });
    if (user !== undefined && asked.at(-1)?.user !== user)
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const behind = connect(tls, '127.0.0.1');
    socket.on('error', () => behind.destroy());
    behind.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    return socket.pipe(behind).pipe(socket);
  });
  return { address: `127.0.0.1:${await listening(proxy)}`, asked };
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
