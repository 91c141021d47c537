import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Event } from '../../../src/schema/event.ts';
import type { TestHub } from './hub.ts';

export interface TestSocket {
  socket: WebSocket;
  events: Event[];
  /** Resolves to all events so far once there are this many. */
  has(count: number): Promise<Event[]>;
  /** How it was closed. */
  closed: Promise<{ code: number; reason: string }>;
}

/** Opens a socket; rejects with the status if it is refused. */
export async function openSocket(
  hub: Pick<TestHub, 'url' | 'token'>,
  path: string,
  headers: Record<string, string> = { authorization: `Bearer ${hub.token}` },
): Promise<TestSocket> {
  const socket = new WebSocket(hub.url.replace('http', 'ws') + path, { headers });
  onTestFinished(() => socket.terminate());
  const events: Event[] = [];
  let look: () => void = () => undefined;
  socket.on('message', (data) => {
    events.push(JSON.parse(String(data)));
    look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('unexpected-response', (_, response) => {
      response.resume();
      reject(new Error(`status ${response.statusCode}`));
    });
    socket.once('error', reject);
  });
  const has = (count: number) =>
    new Promise<Event[]>((resolve) => {
      look = () => {
        if (events.length >= count) resolve([...events]);
      };
      look();
    });
  return { socket, events, has, closed };
}
