import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openIndexFile } from '../../src/knowledge/index-file.ts';
import { searchDocuments } from '../../src/knowledge/search-documents.ts';
import { thesaurus } from '../../src/knowledge/search-index.ts';
import { fermata, freshFolder } from '../support/fermata.ts';
import { longTest } from '../support/long-test.ts';

/** Finds the headings for a phrase in one document. */
async function search(text: string, phrase: string, synonyms?: string[][]): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'fermata-meaning-'));
  writeFileSync(join(root, 'guide.md'), text);
  const index = openIndexFile(join(root, 'index.db'));
  onTestFinished(() => {
    index.close();
    rmSync(root, { recursive: true, force: true });
  });
  const documents = { root, paths: ['guide.md'] };
  const { hits } = await searchDocuments(index, documents, phrase, { limit: 5, synonyms });
  return hits.map(({ heading }) => heading.split(' › ').at(-1) ?? '');
}

const guide = `# Guide

## Backups

\`hive dump\` writes a snapshot into one file. Keep the key elsewhere.

## Colours

Dark and light. A strategy for contrast is in the style guide.

## Wombats

A wombat digs a burrow. Its burrow is deep.

## Digging

Every burrow has two exits.
`;

test('SEED-11 finds a passage by meaning, by the beginning of a word, and by words that occur together', async () => {
  expect((await search(guide, 'disaster recovery strategy'))[0]).toBe('Backups');
  expect((await search(guide, 'colour'))[0]).toBe('Colours');
  const others = Array.from({ length: 12 }, (_, n) => `\n## Part ${n}\n\nSomething else, number ${n}.\n`);
  const burrows = guide.replace('Every burrow', 'Each wombat burrow');
  const together = `${burrows}\n## Exits\n\nA burrow needs two.\n${others.join('')}`;
  expect(await search(together, 'wombats')).toContain('Exits');
});

test('SEED-11 a project can add its own synonyms, which apply once they are trusted', async () => {
  expect(await search(guide, 'marsupial')).toEqual([]);
  expect((await search(guide, 'marsupial', [['marsupial', 'Wombat']]))[0]).toBe('Wombats');
  expect(thesaurus([['marsupial', 'wombat']])('marsupials')).toEqual(['wombat']);

  const cwd = freshFolder();
  writeFileSync(join(cwd, 'guide.md'), guide);
  writeFileSync(join(cwd, 'fermata.config.json'), JSON.stringify({ synonyms: [['marsupial', 'wombat']] }));
  const found = async (FERMATA_TRUST: string | undefined) => {
    const args = ['knowledge', 'search', 'docs', 'marsupial'];
    const { stdout } = await fermata(args, { as: 'envoy', cwd, env: { FERMATA_TRUST } });
    return JSON.parse(stdout).data.results[0]?.heading;
  };
  expect(await found(undefined)).toBeUndefined();
  expect(await fermata(['trust', '--trust'], { cwd })).toMatchObject({ code: 0 });
  expect(await found(undefined)).toBe('Wombats');
});

longTest(
  'SEED-11 hostile documents and phrases take linear time and bounded memory',
  {
    timeout: 120_000,
  },
  async () => {
    const words = Array.from({ length: 20_000 }, (_, n) => `w${n}`).join(' ');
    const same = 'burrow '.repeat(200_000);
    const start = process.cpuUsage();
    const hits = await search(
      `# A\n\n${words}\n\n## B\n\n${same}\n`,
      `${'burrow w1 '.repeat(2000)}${'('.repeat(5000)}`,
    );
    expect(hits.length).toBeGreaterThan(0);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(10);
  },
);
