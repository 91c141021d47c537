// `npm run coverage:spec`: which ids of docs/contributors/spec-ids.txt have a passing test that names them in its title.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {{ id: string, title: string }[]} ids
 * @param {{ name: string, state: string }[]} tests
 * @returns {{ id: string, title: string, area: string, tests: number }[]} with the number of passing tests of each
 */
export function coverSpec(ids, tests) {
  const titles = tests.filter((test) => test.state === 'passed').map((test) => test.name);
  return ids.map(({ id, title }) => {
    const whole = new RegExp(`(?<![\\w-])${id}(?![\\w-])`);
    return { id, title, area: areaOf(id), tests: titles.filter((name) => whole.test(name)).length };
  });
}

/** @param {string} text lines of id, tab, title */
export function readIds(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [id = '', title = ''] = line.split('\t');
    return { id, title };
  });
}

function areaOf(id) {
  return id.startsWith('CLI-EXIT-') ? 'CLI-EXIT' : (id.split('-')[0] ?? id);
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'text' },
      require: { type: 'string', multiple: true, default: [] },
    },
  });
  const spec = coverSpec(
    readIds(readFileSync(join(ROOT, 'docs/contributors/spec-ids.txt'), 'utf8')),
    readTests(),
  );
  const required = [...values.require, ...positionals].flatMap((list) => list.split(','));
  const unknown = required.filter((name) => !spec.some(({ id, area }) => name === id || name === area));
  if (unknown.length > 0) {
    console.error(`${unknown.join(', ')}: no such id or area in docs/contributors/spec-ids.txt.`);
    return 2;
  }
  console.log(values.format === 'json' ? JSON.stringify(spec, null, 2) : table(spec));
  const missing = spec.filter(
    ({ id, area, tests }) => tests === 0 && (required.includes(id) || required.includes(area)),
  );
  for (const { id, title } of missing) console.error(`MISSING: ${id} ${title}`);
  return missing.length > 0 ? 1 : 0;
}

function readTests() {
  const files = ['coverage/tests.json', 'coverage/tests-long.json']
    .map((file) => join(ROOT, file))
    .filter(existsSync);
  if (files.length === 0) console.error('There are no results yet: run `npm test` first.');
  return files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')));
}

function table(spec) {
  const areas = [...new Set(spec.map(({ area }) => area))];
  const lines = areas.flatMap((area) => {
    const ids = spec.filter((entry) => entry.area === area);
    const missing = ids.filter(({ tests }) => tests === 0);
    const heading = `${area.padEnd(9)} ${String(ids.length - missing.length).padStart(3)} of ${ids.length}`;
    return [heading, ...missing.map(({ id, title }) => `    no test: ${id.padEnd(22)} ${title}`)];
  });
  const covered = spec.filter(({ tests }) => tests > 0).length;
  return [...lines, `${covered} of ${spec.length} ids have a passing test`].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
