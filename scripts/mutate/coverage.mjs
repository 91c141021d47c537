import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findFunctions } from './find-mutants.mjs';

/**
 * Finds which test files run which functions: runs all tests on sources in which each function records that it was
 * entered.
 * @returns {Promise<(mutant: { file: string, covers: string }) => string[]>} the test files of a mutant, the fastest first
 */
export async function coverage(workplace, sources, tests) {
  const originals = sources.map((file) => [file, workplace.read(file)]);
  const hits = join(workplace.dir, 'hits.jsonl');
  workplace.write('cover.ts', recorder(hits));
  try {
    for (const [file, text] of originals) workplace.write(file, marked(file, text));
    rmSync(hits, { force: true });
    const { failed } = await workplace.test(tests, { bail: 0, seconds: 900, env: { MUTATE_COVER: '1' } });
    if (failed.length > 0)
      throw new Error(`Without any mutant these tests fail already:\n${failed.join('\n')}`);
  } finally {
    for (const [file, text] of originals) workplace.write(file, text);
  }
  if (!existsSync(hits)) throw new Error('No test wrote down what it ran.');
  const runs = readFileSync(hits, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return ({ file, covers }) =>
    runs
      .filter(({ keys }) => keys.includes(`${file}:${covers}`))
      .sort((a, b) => a.ms - b.ms)
      .map(({ test }) => test);
}

function marked(file, text) {
  let result = text;
  const mark = (key) => `globalThis.__entered?.add(${JSON.stringify(`${file}:${key}`)});`;
  for (const { key, at } of findFunctions(file, text).sort((a, b) => b.at - a.at)) {
    result = `${result.slice(0, at)}${mark(key)}${result.slice(at)}`;
  }
  return `${result}\n${mark('module')}\n`;
}

const recorder = (hits) => `
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';

const entered = new Set<string>();
Object.assign(globalThis, { __entered: entered });
const start = Date.now();
afterAll(() => {
  const test = relative(process.cwd(), expect.getState().testPath ?? '');
  const line = JSON.stringify({ test, ms: Date.now() - start, keys: [...entered] });
  appendFileSync(${JSON.stringify(hits)}, line + '\\n');
});
`;
