import { expect, it } from 'vitest';
import { compressed } from '../../src/hub/http/compressed.ts';

const ask = (accepts: string, method = 'GET') =>
  new Request('http://hub/notifications', { method, headers: { 'accept-encoding': accepts } });
const json = (length: number) => Response.json('x'.repeat(length), { status: 200 });

it.each([
  ['long JSON', ask('br, gzip'), json(5000), 'gzip'],
  ['JSON that is hardly shorter', ask('gzip'), json(10), null],
  ['a client that takes none', ask('identity'), json(5000), null],
  ['what a change returns', ask('gzip', 'POST'), json(5000), null],
  [
    'a stream',
    ask('gzip'),
    new Response('x'.repeat(5000), { headers: { 'content-type': 'text/event-stream' } }),
    null,
  ],
] as const)('INB-13 compresses only what gets smaller: %s', async (_, request, response, encoding) => {
  const { headers, status } = await compressed(request, response);
  expect([headers.get('content-encoding'), status]).toEqual([encoding, 200]);
});
