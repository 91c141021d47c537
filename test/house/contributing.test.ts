import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TIERS } from './import-direction.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const codes = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

const [, section = ''] = page.split('## Where things are\n');
const rows = [...section.matchAll(/^\| `([^|]+)` \| (.+) \|$/gm)].map(([, folder = '', text = '']) => ({
  folder,
  text,
}));

const foldersIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );

describe('CONTRIBUTING.md', () => {
  it('has a row for each folder of src, and no other', () => {
    const listed = rows.flatMap(({ folder }) => /^src\/([\w-]+)$/.exec(folder)?.[1] ?? []);
    expect(listed.sort()).toEqual(foldersIn('src').sort());
  });

  it('names only folders within them that exist', () => {
    const missing = rows.flatMap(({ folder, text }) =>
      codes(text)
        .filter((code) => code.endsWith('/'))
        .map((code) => `${folder}/${code}`)
        .filter((path) => !existsSync(join(ROOT, path))),
    );
    expect(missing).toEqual([]);
  });

  it('names only paths that exist; a word in capitals stands for a name', () => {
    const paths = codes(page).filter((code) => /^(?:src|test|docs|web|scripts)\/\S+$/.test(code));
    const fixed = paths.map((path) => path.replace(/\/[^/]*\b[A-Z]{4,}\b(?!\.md).*$/, ''));
    expect(fixed.length).toBeGreaterThan(30);
    expect(fixed.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('has the order of imports that the test of imports checks', () => {
    const [order = ''] = /^Imports point one way: [^.]+\./m.exec(page) ?? [];
    const tiers = order.split('·').map(codes);
    expect(tiers).toEqual(TIERS);
  });
});
