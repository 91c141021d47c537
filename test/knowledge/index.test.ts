import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openIndexFile } from '../../src/knowledge/index-file.ts';
import { searchIndex } from '../../src/knowledge/search-index.ts';
import { wordsOf } from '../../src/knowledge/terms.ts';
import { updateIndex } from '../../src/knowledge/update-index.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'fermata-knowledge-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
});

function checkout(name: string, files: Record<string, string>) {
  const root = join(place, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    // Long enough ago that the time stamps can be relied on.
    utimesSync(join(root, path), 1e9, 1e9);
  }
  return { root, paths: Object.keys(files) };
}

function open() {
  const connection = openIndexFile(join(place, 'home', 'knowledge.db'));
  onTestFinished(() => connection.close());
  return connection;
}

const docs = {
  'guide.md':
    '# Guide\n\n## Deleting accounts\n\nPress the red button.\n\n## Retries\n\nDeliveries are tried again.\n',
  'notes.txt': 'The accounts of employees are kept.\n',
};

describe('the index of documents (CMD-15)', () => {
  test('finds words in their forms, in headings first, with the place', () => {
    const index = open();
    const documents = checkout('a', docs);
    expect(updateIndex(index, documents)).toEqual({ added: 2, removed: 0, skipped: [] });
    const hits = searchIndex(index, documents.root, 'How do I delete an account?', 5);
    expect(hits[0]).toMatchObject({
      path: 'guide.md',
      title: 'Guide',
      heading: 'Deleting accounts',
      first: 5,
      last: 5,
      text: 'Press the red button.',
    });
    expect(hits.map(({ path }) => path)).toContain('notes.txt');
  });

  test('finds synonyms', () => {
    const index = open();
    const documents = checkout('a', docs);
    updateIndex(index, documents);
    expect(searchIndex(index, documents.root, 'erase a user', 1)[0]?.heading).toBe('Deleting accounts');
  });

  test('notices a changed document by its content, and forgets deleted ones', () => {
    const index = open();
    const documents = checkout('a', docs);
    updateIndex(index, documents);
    writeFileSync(join(documents.root, 'notes.txt'), 'Nothing about zebras.\n');
    expect(updateIndex(index, documents)).toMatchObject({ added: 1, removed: 1 });
    expect(searchIndex(index, documents.root, 'zebra', 5)).toHaveLength(1);
    expect(updateIndex(index, documents)).toMatchObject({ added: 0, removed: 0 });
    rmSync(join(documents.root, 'notes.txt'));
    updateIndex(index, documents);
    expect(searchIndex(index, documents.root, 'zebra', 5)).toEqual([]);
  });

  test('a change within the same moment and size is noticed', () => {
    const index = open();
    const documents = checkout('a', { 'a.md': 'lion\n' });
    writeFileSync(join(documents.root, 'a.md'), 'bear\n');
    updateIndex(index, documents);
    writeFileSync(join(documents.root, 'a.md'), 'wolf\n');
    updateIndex(index, documents);
    expect(searchIndex(index, documents.root, 'wolf', 5)).toHaveLength(1);
    expect(searchIndex(index, documents.root, 'bear', 5)).toEqual([]);
  });

  test('checkouts share equal documents, and each finds only its own', () => {
    const index = open();
    const one = checkout('a', docs);
    const other = checkout('b', { ...docs, 'notes.txt': 'Only here: giraffes.\n' });
    updateIndex(index, one);
    expect(updateIndex(index, other)).toMatchObject({ added: 1 });
    expect(searchIndex(index, one.root, 'giraffe', 5)).toEqual([]);
    expect(searchIndex(index, other.root, 'giraffe red button', 5)).toHaveLength(2);
    renameSync(one.root, join(place, 'gone'));
    writeFileSync(join(other.root, 'notes.txt'), 'New.\n');
    updateIndex(index, other);
    expect(index.prepare('select count(*) as n from files where root = ?').get(one.root)).toEqual({ n: 0 });
  });

  test('the same text under two names is one result', () => {
    const index = open();
    const documents = checkout('a', { 'x/notes.md': 'unicorn\n', 'y/notes.md': 'unicorn\n' });
    updateIndex(index, documents);
    expect(searchIndex(index, documents.root, 'unicorn', 5).map(({ path }) => path)).toEqual(['x/notes.md']);
  });

  test('links, binary and very large files are left out', () => {
    const index = open();
    const documents = checkout('a', {
      'a.md': 'fine\n',
      'b.md': 'x\0y',
      'c.md': 'x'.repeat(5 * 1024 * 1024),
    });
    symlinkSync('/etc/hostname', join(documents.root, 'd.md'));
    const paths = [...documents.paths, 'd.md', 'missing.md'];
    expect(updateIndex(index, { ...documents, paths })).toEqual({
      added: 1,
      removed: 0,
      skipped: ['b.md', 'c.md'],
    });
  });

  test('a file below a folder that is a link out of the checkout is left out (BIND-14)', () => {
    const index = open();
    const others = checkout('others', { 'diary.md': 'unicorn\n' });
    const documents = checkout('a', { 'a.md': 'fine\n' });
    symlinkSync(others.root, join(documents.root, 'docs'));
    updateIndex(index, { ...documents, paths: ['a.md', 'docs/diary.md'] });
    expect(searchIndex(index, documents.root, 'unicorn', 5)).toEqual([]);
  });

  test.each([
    '"quotes" OR (NEAR',
    'a* -b ^c {d} e:f',
    'AND OR NOT',
    "'; drop table files; --",
    '日本 語',
    '\u0000',
  ])('no phrase is an expression: %j', (phrase) => {
    const index = open();
    const documents = checkout('a', { 'a.md': 'quotes near AND or drop 日本\n' });
    updateIndex(index, documents);
    expect(() => searchIndex(index, documents.root, phrase, 5)).not.toThrow();
  });

  test('one that is damaged, or of another version, is rebuilt', () => {
    const file = join(place, 'home', 'knowledge.db');
    mkdirSync(dirname(file));
    writeFileSync(file, 'this is no database, but long enough to be taken for one'.repeat(100));
    const documents = checkout('a', docs);
    const first = openIndexFile(file);
    expect(updateIndex(first, documents).added).toBe(2);
    first.exec('pragma user_version = 99');
    first.close();
    const second = openIndexFile(file);
    onTestFinished(() => second.close());
    expect(updateIndex(second, documents).added).toBe(2);
  });
});

describe('the words of a phrase', () => {
  test.each([
    ['How do I delete an account?', ['delete', 'account']],
    ['What is it?', ['what', 'is', 'it']],
    ['UTF-8 in C++17', ['utf', '8', '17']],
    ['Wie wird das Passwort geändert', ['passwort', 'geändert']],
    ['', []],
  ])('%j', (phrase, words) => {
    expect(wordsOf(phrase)).toEqual(words);
  });
});
