import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

it('every guarantee in SECURITY.md names tests that exist', () => {
  const page = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
  const holds = page.slice(
    page.indexOf('## What Fermata guarantees'),
    page.indexOf('## What Fermata does not guarantee'),
  );
  const rows = holds.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| |'));
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    const tests = [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(tests, row).not.toEqual([]);
    for (const path of tests) expect(existsSync(join(ROOT, path)), path).toBe(true);
  }
});
