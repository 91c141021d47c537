import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

it('every row of docs/seeds.md names a test that exists, or says why there is none', () => {
  const page = readFileSync(join(ROOT, 'docs/seeds.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| (?!it had)/.test(line));
  expect(rows.length).toBeGreaterThan(50);
  for (const row of rows) {
    const cells = row.split(/(?<!\\)\|/).slice(1, -1);
    expect(cells, row).toHaveLength(4);
    const [, place = '', tests = '', difference = ''] = cells;
    const named = [...tests.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
    if (named.length === 0) expect(difference.trim(), row).not.toBe('');
    const files = [...place.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, path = '']) => path);
    for (const path of [...named, ...files]) expect(existsSync(join(ROOT, path)), path).toBe(true);
  }
});

it('a row about a command names only tests of the program that call it', () => {
  const page = readFileSync(join(ROOT, 'docs/seeds.md'), 'utf8');
  const commands = [...page.matchAll(/^\| `(?:envoy|debussy|rslph) ([a-z -]*[a-z]).*$/gm)];
  expect(commands.length).toBeGreaterThan(15);
  for (const [row, words = ''] of commands) {
    const [, , , tests = ''] = row.split(/(?<!\\)\|/);
    const command = words.split(' --')[0]?.split(' ').at(-1) ?? '';
    const named = [...tests.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
    const calls = (path: string) => readFileSync(join(ROOT, path), 'utf8').includes(command);
    const ofProgram = named.filter((path) => /^test\/(cli|seeds)\//.test(path));
    expect(
      ofProgram.filter((path) => !calls(path)),
      row,
    ).toEqual([]);
    expect(named.some(calls), row).toBe(true);
  }
});
