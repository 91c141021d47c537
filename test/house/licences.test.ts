import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { bundledPackages, licencesText } from '../../scripts/licences.mjs';

const ROOT = join(import.meta.dirname, '../..');

it('the package contains the licence of every package that it bundles', () => {
  const text = readFileSync(join(ROOT, 'dist/LICENCES.txt'), 'utf8');
  for (const name of ['commander', 'kysely', 'pg', 'ws', 'yaml', 'markdown-it', 'preact', 'zod'])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).files).toContain('dist');
});

it('a bundled package without a licence stops the build', () => {
  const root = mkdtempSync(join(tmpdir(), 'fermata-licences-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'node_modules/@some/part');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"@some/part","version":"1.0.0"}');
  const folders = new Set<string>();
  bundledPackages(folders).generateBundle(undefined, {
    'a.js': { moduleIds: [join(folder, 'dist/index.js'), '\0virtual', join(root, 'src/a.ts')] },
  });
  expect([...folders]).toEqual([folder]);
  expect(() => licencesText(folders)).toThrow('@some/part 1.0.0 has no licence');
  writeFileSync(join(folder, 'LICENSE-MIT.txt'), 'Do what you like.\n');
  expect(licencesText(folders)).toContain('@some/part 1.0.0 (see below)\n\nDo what you like.\n');
});
