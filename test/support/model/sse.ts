import type { ServerResponse } from 'node:http';

/** Server-sent events, each with its `type` as the event's name; a `cut` stream ends without an end. */
export function sendEvents(
  response: ServerResponse,
  events: readonly { type: string }[],
  { cut = false, headers = {} } = {},
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  if (cut) response.write('\n', () => response.destroy());
  else response.end();
}

/** Pieces of at most `size` characters, none of which is cut in two. */
export function pieces(text: string, size: number): string[] {
  const characters = [...text];
  const count = Math.max(1, Math.ceil(characters.length / size));
  return Array.from({ length: count }, (_, i) => characters.slice(i * size, (i + 1) * size).join(''));
}
