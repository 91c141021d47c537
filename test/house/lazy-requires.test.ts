import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withLazyRequires } from '../../scripts/lazy-requires.mjs';

it('a program loads what it requires at the first use, and once', () => {
  const code = `const part = require("./part.cjs");
exports.used = (words) => [new part.Kind(...part.list(words)).name, \`\${part.list([])} part.list\`];`;
  const { exports, loaded } = run(code);
  expect(loaded).toEqual([]);
  expect(exports.used(['a', 'b'])).toEqual(['A B', ' part.list']);
  expect(exports.used(['c'])).toEqual(['C', ' part.list']);
  expect(loaded).toEqual(['./part.cjs']);
});

it.each([
  ['is used as a whole', 'const part = require("./part.cjs");\nexports.whole = part;'],
  ['is assigned again', 'let part = require("./part.cjs");\npart = toESM(part);'],
  [
    'shares its name with something else',
    'const part = require("./part.cjs");\nfunction other(part) { part.x; }',
  ],
  ['is loaded for what it does', 'require("./part.cjs");'],
])('a module that %s is loaded at the start', (_, code) => {
  expect(withLazyRequires(code)).toBe(code);
});

// The build drops a file whose exports nobody uses, and loads the others late.
it('a file of src only defines what it exports when it is loaded', () => {
  const src = join(import.meta.dirname, '../../src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  expect(files.filter((file) => doesMore(readFileSync(join(src, file), 'utf8')))).toEqual([]);
  expect(doesMore("import './b.ts';")).toBe(true);
  expect(doesMore('export const a = 1;\nstart(a);')).toBe(true);
});

/** Biome indents everything within a statement, except text, so a call that begins a line is one of its own. */
function doesMore(code: string): boolean {
  return /^(import ['"]|(await |void |new )?[\w$.]+\(|for |if )/m.test(
    code.replace(/`(?:[^`\\]|\\.)*`/gs, ''),
  );
}

function run(code: string) {
  const loaded: string[] = [];
  const part = {
    list: (words: string[]) => words.map((word) => word.toUpperCase()),
    Kind: class {
      readonly name: string;
      constructor(...words: string[]) {
        this.name = words.join(' ');
      }
    },
  };
  const require = (id: string) => {
    loaded.push(id);
    return part;
  };
  const exports: Record<string, (words: string[]) => string[]> = {};
  new Function('require', 'exports', withLazyRequires(code))(require, exports);
  return { exports, loaded } as { exports: { used(words: string[]): string[] }; loaded: string[] };
}
