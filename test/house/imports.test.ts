import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importCycles, importProblems } from './import-direction.ts';

const SRC = join(import.meta.dirname, '../../src');

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path: path.split(sep).join('/'), text: readFileSync(join(SRC, path), 'utf8') }));

describe('imports point one way', () => {
  it('in all of src', () => {
    expect(files.length).toBeGreaterThan(0);
    expect(importProblems(files)).toEqual([]);
  });

  it('and form no cycles', () => {
    expect(importCycles(files)).toEqual([]);
  });

  it.each([
    ['a static import', "import { b } from './b.ts';"],
    ['a type', "import type { B } from './b.ts';"],
    ['a dynamic import', "const lazy = () => import('./b.ts');"],
  ])('%s closes a cycle', (_, text) => {
    const other = { path: 'cli/b.ts', text: "export * from './a.ts';" };
    expect(importCycles([{ path: 'cli/a.ts', text }, other])).toEqual(['cli/a.ts → cli/b.ts → cli/a.ts']);
  });

  it.each([
    ['a static import', "\nimport { main } from '../cli/main.ts';"],
    ['a type', "\nimport type { main } from '../cli/main.ts';"],
    ['a re-export', "\nexport * from '../cli/main.ts';"],
    ['a dynamic import', "\nconst lazy = await import('../cli/main.ts');"],
    ['a type in place', "\ntype Main = import('../cli/main.ts').Main;"],
  ])('%s that points back is found, with its line', (_, text) => {
    expect(importProblems([{ path: 'ledger/ask.ts', text }])).toEqual([
      expect.stringMatching(/^src\/ledger\/ask\.ts:2 ledger must not import cli \(.*move what both need/),
    ]);
  });

  it.each([
    ['a sibling', 'hub/server.ts', '../cli/main.ts', 'hub must not import cli'],
    [
      'the very ground importing anything',
      'schema/task.ts',
      '../ledger/ids.ts',
      'schema must not import ledger',
    ],
    [
      'a folder without a place',
      'helpers/all.ts',
      '../schema/task.ts',
      'src/helpers has no place in the order',
    ],
    ['a way out of src', 'cli/main.ts', '../../test/fixture.ts', 'is not in src'],
  ])('%s is found', (_, path, specifier, sentence) => {
    const problems = importProblems([{ path, text: `import '${specifier}';` }]);
    expect(problems).toEqual([expect.stringContaining(sentence)]);
  });

  it.each([
    ['a lower folder', 'cli/main.ts', '../ledger/ids.ts'],
    ['the same folder', 'ledger/engine/sqlite.ts', '../ids.ts'],
    ['a package', 'schema/task.ts', 'zod'],
    ['the version', 'cli/main.ts', '../../package.json'],
    ['anything from the library entry', 'index.ts', './cli/main.ts'],
  ])('%s is fine', (_, path, specifier) => {
    expect(importProblems([{ path, text: `import '${specifier}';` }])).toEqual([]);
  });
});
