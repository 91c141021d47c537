import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/contributors/walks.md'), 'utf8');

describe('the walks through the code', () => {
  it('name only files that exist; after moving one, run `npm run walks`', () => {
    const files = [...new Set(page.match(/\bsrc\/[\w/.-]+\.ts\b/g))];
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
