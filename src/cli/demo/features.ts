/** What the scripted agents of the demo write for one issue. */
export interface Feature {
  /** The name of its files. */
  name: string;
  code: string;
  test: string;
  /** The agent's first version, whose mistake a gate finds. */
  mistake?: string;
  /** Another way to do the same. */
  other?: string;
  /** What the agent asks while it works. */
  question?: { text: string; options: { label: string; description: string }[] };
}

const csv: Feature = {
  name: 'csv',
  code: `/** The list as CSV: a heading, then one line for each entry. */
export function toCsv(entries, separator = ',') {
  const columns = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
  const lines = entries.map((entry) => columns.map((column) => entry[column] ?? ''));
  return [columns, ...lines].map((cells) => cells.map((cell) => quoted(String(cell), separator)).join(separator)).join('\\n');
}

function quoted(text, separator) {
  const needed = text.includes(separator) || /["\\n]/.test(text);
  return needed ? \`"\${text.replaceAll('"', '""')}"\` : text;
}
`,
  test: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from '../src/csv.js';

test('commas and quotes survive', () => {
  assert.equal(toCsv([{ title: 'A, "B"', year: 1 }]), 'title,year\\n"A, ""B""",1');
  assert.equal(toCsv([{ title: 'A;B' }], ';'), 'title\\n"A;B"');
});
`,
  question: {
    text: 'Which separator should the CSV export use by default?',
    options: [
      { label: 'Comma', description: 'what most programs expect' },
      { label: 'Semicolon', description: 'what spreadsheets in many countries expect' },
    ],
  },
};

const search: Feature = {
  name: 'search',
  mistake: `/** Entries whose title has all words of the query. */
export function search(entries, query) {
  return entries.filter(({ title }) => query.split(' ').every((word) => title.includes(word)));
}
`,
  code: `/** Entries whose title has all words of the query, whatever their case. */
export function search(entries, query) {
  const words = query.toLowerCase().split(/\\s+/).filter(Boolean);
  return entries.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
}
`,
  test: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../src/search.js';

const entries = [{ title: 'The Left Hand of Darkness' }, { title: 'Dune' }];

test('finds titles by words in any case and order', () => {
  assert.deepEqual(search(entries, 'darkness  left'), [entries[0]]);
  assert.deepEqual(search(entries, 'moon'), []);
});
`,
};

const settings: Feature = {
  name: 'settings',
  code: `import { readFileSync, writeFileSync } from 'node:fs';

/** Settings in one JSON file; an unreadable file counts as empty. */
export function openSettings(file) {
  const load = () => {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      return {};
    }
  };
  return { get: (name) => load()[name], set: (name, value) => writeFileSync(file, JSON.stringify({ ...load(), [name]: value })) };
}
`,
  other: `import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Settings as a log: each change is a line, the last one wins; unreadable lines are skipped. */
export function openSettings(file) {
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\\n') : []);
  const read = (line) => {
    try {
      return JSON.parse(line);
    } catch {
      return [];
    }
  };
  return {
    get: (name) => lines().map(read).findLast(([key]) => key === name)?.[1],
    set: (name, value) => appendFileSync(file, \`\${JSON.stringify([name, value])}\\n\`),
  };
}
`,
  test: `import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSettings } from '../src/settings.js';

test('a setting is there after a restart; a broken store counts as empty', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  const file = join(folder, 'settings');
  openSettings(file).set('filter', 'unread');
  assert.equal(openSettings(file).get('filter'), 'unread');
  writeFileSync(file, '{');
  assert.equal(openSettings(file).get('filter'), undefined);
  rmSync(folder, { recursive: true });
});
`,
};

const known: [RegExp, Feature][] = [
  [/csv/i, csv],
  [/search/i, search],
  [/settings/i, settings],
];

/** The feature for an issue; for an issue that the demo does not know, something small that a test can check. */
export function featureOf({ title, number }: { title: string; number: number }): Feature {
  const found = known.find(([words]) => words.test(title))?.[1];
  if (found) return found;
  const name = `issue-${number}`;
  const text = JSON.stringify(title);
  return {
    name,
    code: `/** ${title.replaceAll('*/', '')} */\nexport const done = ${text};\n`,
    mistake: `export const done = 'not yet';\n`,
    other: `const words = ${JSON.stringify(title.split(' '))};\n\nexport const done = words.join(' ');\n`,
    test: `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done } from '../src/${name}.js';

test(${text}, () => assert.equal(done, ${text}));
`,
    question: {
      text: `How should "${title}" be announced?`,
      options: [
        { label: 'In the change log', description: 'one line' },
        { label: 'Not at all', description: 'nobody will notice' },
      ],
    },
  };
}
