import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The model pauses in the middle of a stream. */
interface Pause {
  type: 'pause';
  ms: number;
}

/** Server-sent events, each with its `type` as the event's name; a `cut` stream has no end event. */
export async function sendEvents(
  response: ServerResponse,
  events: readonly { type: string }[],
  { cut = false, headers = {} } = {},
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers });
  for (const event of events) {
    if (isPause(event)) await sleep(event.ms, undefined, { ref: false });
    else response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  if (cut) response.write('\n', () => response.destroy());
  else response.end();
}

const isPause = (event: { type: string }): event is Pause => event.type === 'pause';

/** Pieces of at most `size` characters, without splitting a character. */
export function pieces(text: string, size: number): string[] {
  const characters = [...text];
  const count = Math.max(1, Math.ceil(characters.length / size));
  return Array.from({ length: count }, (_, i) => characters.slice(i * size, (i + 1) * size).join(''));
}
