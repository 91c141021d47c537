import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { webhookSink } from '../../../src/channels/notices/webhook.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  body: any;
}

/** A real server that records requests and answers as told. */
export async function receiver(statuses: number[] = []) {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    received.push({ path: incoming.url ?? '', headers: incoming.headers, body: JSON.parse(text) });
    const status = statuses.shift() ?? 200;
    outgoing.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('ok');
    for (const look of waiting) look();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const has = (count: number) =>
    new Promise<Received[]>((resolve) => {
      const look = () => received.length >= count && resolve([...received]);
      waiting.push(look);
      look();
    });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  // A separate sink, so that leftovers of another test do not arrive here.
  const sink = { ...webhookSink(url), name: `webhook-${randomUUID()}` };
  return { url, sink, received, has };
}

/** The first link to answer in a text in Slack's format. */
export const linkIn = (text: string) => /<(http[^|]+)\|Answer>/.exec(text)?.[1] ?? '';
