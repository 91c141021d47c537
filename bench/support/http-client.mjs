import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * One connection that sends one request after the other and reads as little of the replies as it can: Node's own client
 * costs more than the hub does, and would be what is measured.
 * @param {string} url
 * @param {string} token
 */
export async function httpClient(url, token) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let waiting;
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = received.latin1Slice(0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (received.length < end + 4 + length) return;
    const body = received.utf8Slice(end + 4, end + 4 + length);
    received = received.subarray(end + 4 + length);
    waiting.resolve({ status: Number(head.slice(9, 12)), body });
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('The hub has closed the connection.')));
  const common = `Host: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
  return {
    /** @returns {Promise<{ status: number, body: string }>} */
    call(method, path, body) {
      const text = body === undefined ? '' : JSON.stringify(body);
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(
          `${method} ${path} HTTP/1.1\r\n${common}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        );
      });
    },
    end: () => socket.destroy(),
  };
}
