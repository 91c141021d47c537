import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { expect, test } from 'vitest';

const TESTS = join(import.meta.dirname, '..');
const LEAVES_OUT = /from '(?:\.\.\/)+support\/long(?:-test)?\.ts'|\beachStoreInLong\(/;

test('every test file that leaves something to npm run test:long is imported there', () => {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => ({ path: path.split(sep).join('/'), text: readFileSync(join(TESTS, path), 'utf8') }));
  const isIn = (path: string) => path.startsWith('long/');
  const leaving = files.filter(({ path, text }) => !isIn(path) && LEAVES_OUT.test(text));
  expect(leaving.length).toBeGreaterThan(0);
  const imported = files
    .filter(({ path }) => isIn(path))
    .flatMap(({ text }) =>
      [...text.matchAll(/^import '(.+)';$/gm)].map(([, to = '']) => posix.join('long', to)),
    );
  expect(leaving.map(({ path }) => path).filter((path) => !imported.includes(path))).toEqual([]);
});
