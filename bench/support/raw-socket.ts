import { once } from 'node:events';
import { connect } from 'node:net';

export type RawSocket = Awaited<ReturnType<typeof rawSocket>>;

/** A WebSocket that only records when something arrives, because thousands of full clients would distort the figures. */
export async function rawSocket({ url, token }: { url: string; token: string }, path: string) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  const [head] = await once(socket, 'data');
  if (!head.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(head.toString('latin1'));
  return {
    /** Resolves to the time at which the next message starts to arrive. */
    next: () => once(socket, 'data').then(() => performance.now()),
    end: () => socket.destroy(),
  };
}
