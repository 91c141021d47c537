import { expect, test } from 'vitest';
import { endpointOf } from '../../src/knowledge/embedder.ts';
import { findHeadings } from '../../src/knowledge/split-passages.ts';
import { matchExpression, wordsOf } from '../../src/knowledge/terms.ts';

test('CMD-15 searches for significant words, and for longer ones also as prefixes', () => {
  expect(wordsOf('How do I configure the db?')).toEqual(['configure', 'db']);
  expect(matchExpression(['configure', 'db'])).toBe('"configure"* OR "db"');
});

test('CMD-15 a line of punctuation makes a heading only if it is as long as the text above it', () => {
  const texts = (...lines: string[]) => findHeadings(lines, 'underlined').map(({ text }) => text);
  expect(texts('Install', '=======', '', 'text')).toEqual(['Install']);
  expect(texts('A sentence that is longer', '---', 'text')).toEqual([]);
});

test.each(['http://localhost:1/v1', 'http://127.0.0.1:1/v1', 'http://127.8.8.8/v1', 'http://[::1]:1/v1'])(
  'CMD-15 a repository may name an embedder on this machine: %s',
  (url) => expect(endpointOf({ embedder: { url, model: 'm' } }, {})).toEqual({ url, model: 'm' }),
);

test.each(['http://localhost.example.org/v1', 'http://127.0.0.1.example.org/v1', 'http://10.0.0.1/v1'])(
  'CMD-15 a repository may not name one elsewhere: %s',
  (url) => expect(endpointOf({ embedder: { url, model: 'm' } }, {})).toHaveProperty('refused'),
);
