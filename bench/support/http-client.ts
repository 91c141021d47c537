import { once } from 'node:events';
import { connect } from 'node:net';

interface Reply {
  status: number;
  body: string;
}

export type HttpClient = Awaited<ReturnType<typeof httpClient>>;

/**
 * One connection that sends one request after the other and reads as little of the replies as possible: Node's
 * own client costs more than the hub and would distort the figures.
 */
export async function httpClient(url: string, token: string) {
  const { hostname, port, host } = new URL(url);
  let waiting: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;
  let received = '';
  const take = () => {
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
    if (received.length < end + 4 + length) return;
    const [status, body] = [Number(received.slice(9, 12)), received.slice(end + 4, end + 4 + length)];
    received = received.slice(end + 4 + length);
    waiting?.resolve({ status, body });
  };
  // One buffer for all reads, because a new one per reply would keep the garbage collector busy.
  const onread = {
    buffer: Buffer.alloc(64 * 1024),
    callback(size: number, buffer: Uint8Array) {
      received += Buffer.from(buffer.buffer, buffer.byteOffset, size).toString('latin1');
      take();
      return true;
    },
  };
  const socket = connect({ port: Number(port), host: hostname, onread });
  socket.setNoDelay(true);
  await once(socket, 'connect');
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('The hub has closed the connection.')));
  const common = `Host: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
  return {
    /** The body's bytes as characters, which is right for plain ASCII. */
    call(method: string, path: string, body?: unknown): Promise<Reply> {
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
