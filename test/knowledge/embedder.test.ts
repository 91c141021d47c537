import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endpointOf, httpEmbedder } from '../../src/knowledge/embedder.ts';
import { openIndexFile } from '../../src/knowledge/index-file.ts';
import { fuse, searchDocuments } from '../../src/knowledge/search-documents.ts';
import type { Hit } from '../../src/knowledge/search-index.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`;
}

/** "Means" two things: animals, and money. */
function meaning(text: string): number[] {
  return [/cat|dog|pet/i.test(text) ? 1 : 0, /price|invoice|pay/i.test(text) ? 1 : 0, 0.1];
}

const asked: { input: string[]; key?: string }[] = [];

async function embeddings(): Promise<string> {
  asked.length = 0;
  return serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
    asked.push({ input, ...(request.headers.authorization ? { key: request.headers.authorization } : {}) });
    const data = input.map((text, index) => ({ index, embedding: meaning(text) })).reverse();
    response.end(JSON.stringify({ data }));
  });
}

function project() {
  const place = mkdtempSync(join(tmpdir(), 'fermata-knowledge-'));
  const index = openIndexFile(join(place, 'home', 'knowledge.db'));
  onTestFinished(() => {
    index.close();
    rmSync(place, { recursive: true, force: true });
  });
  writeFileSync(join(place, 'a.md'), '# A\n\n## Cats\n\nThey purr.\n\n## Invoices\n\nDue in a week.\n');
  return { index, documents: { root: place, paths: ['a.md'] } };
}

describe("a person's own embedder (CMD-15)", () => {
  test('finds by meaning what has no word in common, and asks for each passage once', async () => {
    const embedder = httpEmbedder({ url: await embeddings(), model: 'm', key: 'k' });
    const { index, documents } = project();
    const search = () => searchDocuments(index, documents, 'household pets', { limit: 5, embedder });
    const found = await search();
    expect(found.embedder).toEqual({ state: 'used' });
    expect(found.hits[0]?.heading).toBe('Cats');
    expect(asked.map(({ input }) => input.length)).toEqual([2, 1]);
    expect(asked[0]?.key).toBe('Bearer k');
    await search();
    expect(asked.map(({ input }) => input.length)).toEqual([2, 1, 1]);
  });

  test.each<[string, RequestListener, RegExp]>([
    ['answers with an error', (_, response) => response.writeHead(500).end('no'), /it answered with 500/],
    [
      'answers with something else',
      (_, response) => response.end('{"data":[]}'),
      /did not answer with 2 embeddings/,
    ],
    ['answers with no JSON', (_, response) => response.end('<html>'), /failed: /],
    ['hangs up', (request) => request.socket.destroy(), /failed: /],
    [
      'never stops',
      (_, response) => {
        const more = Buffer.alloc(1024 * 1024, ' ');
        const write = () => {
          while (!response.destroyed && response.write(more));
        };
        response.on('drain', write).on('error', () => undefined);
        write();
      },
      /has more than \d+ bytes/,
    ],
  ])('one that %s is told, and words still count', async (_, listener, problem) => {
    const embedder = httpEmbedder({ url: await serve(listener), model: 'm' });
    const { index, documents } = project();
    const { hits, embedder: state } = await searchDocuments(index, documents, 'invoice', {
      limit: 5,
      embedder,
    });
    expect(hits[0]?.heading).toBe('Invoices');
    expect(state).toEqual({ state: 'failed', problem: expect.stringMatching(problem) });
  });

  test('redirects are not followed, because the key is for this server', async () => {
    const elsewhere = await embeddings();
    const url = await serve((_, response) => response.writeHead(307, { location: elsewhere }).end());
    await expect(httpEmbedder({ url, model: 'm', key: 'k' }).embed(['x'])).rejects.toThrow(/failed: /);
    expect(asked).toEqual([]);
  });

  test('its key goes only to the address that the environment names', () => {
    const file = { embedder: { url: 'http://localhost:11434/v1/embeddings', model: 'm' } };
    expect(endpointOf(file, { FERMATA_EMBEDDER_KEY: 'k' })).toEqual(file.embedder);
    const FERMATA_EMBEDDER_URL = 'https://mine.example/e';
    expect(endpointOf(file, { FERMATA_EMBEDDER_KEY: 'k', FERMATA_EMBEDDER_URL })).toEqual({
      url: FERMATA_EMBEDDER_URL,
      model: 'm',
      key: 'k',
    });
    expect(endpointOf(undefined, {})).toBeUndefined();
  });

  test.each(['http://repository.example/e', 'http://127.0.0.1.repository.example/e', 'http://10.0.0.1/e'])(
    'a repository cannot name %s',
    (url) => {
      expect(endpointOf({ embedder: { url, model: 'm' } }, {})).toEqual({
        refused: expect.stringContaining('FERMATA_EMBEDDER_URL'),
      });
    },
  );

  test.each([
    ['file:///etc/passwd', 'm'],
    ['http://me:secret@a.example/e', 'm'],
    ['http://a.example', undefined],
  ])('%s of model %s is not an address in the environment, and is not repeated', (url, model) => {
    const env = { FERMATA_EMBEDDER_URL: url, FERMATA_EMBEDDER_MODEL: model };
    expect(() => endpointOf(undefined, env)).toThrow(/^FERMATA_EMBEDDER_URL must be http:(?!.*secret)/);
  });

  test('rankings are merged by position, and what both rankings contain comes first', () => {
    const hit = (id: number): Hit => ({
      id,
      path: '',
      title: '',
      heading: '',
      first: 1,
      last: 1,
      text: '',
      score: 9,
    });
    expect(
      fuse([
        [hit(1), hit(2)],
        [hit(3), hit(2)],
      ]).map(({ id }) => id),
    ).toEqual([2, 1, 3]);
  });
});
