// `npm run bench -- convert-parse`: reading the files out of an agent's answer (CONV-2), on answers that are made to be
// slow: 200 KB of file headers without an end took an ancestor 85 s. `--report-only` never fails.
import { parseArgs } from 'node:util';
import { isOver, table } from './support/budget.mjs';
import { loadSource } from './support/load-source.mjs';

const { readFileBlocks } = await loadSource({ readFileBlocks: 'plan/file-blocks.ts' });

const { values: options } = parseArgs({ options: { 'report-only': { type: 'boolean' } } });

const KB = 1024;
const ROUNDS = 15;
const BUDGET_MS = 50;
/** The whole may take as long as ten parts of it; anything worse than linear would take up to ten times as long. */
const MAX_GROWTH = 2;

/** Each creates an answer of about this many bytes. */
const answers = {
  'headers without an end': (bytes) => repeated('---FILE: phase-1.md---\n', bytes),
  'different headers without an end': (bytes) => lines(bytes, (n) => `---FILE: phase-${n}.md---`),
  'one header of blanks': (bytes) => `---FILE: ${' '.repeat(bytes)}x`,
  'one header of dashes': (bytes) => `---FILE: ${'-'.repeat(bytes)} x`,
  'ends without a header': (bytes) => repeated('---END FILE---\n', bytes),
  'one file that begins with a fence': (bytes) =>
    `---FILE: a.md---\n\`\`\`\n${repeated('```x\n', bytes)}---END FILE---\n`,
  'the same file over and over': (bytes) => repeated('---FILE: a.md---\nx\n---END FILE---\n', bytes),
  'more files than are allowed': (bytes) => lines(bytes, (n) => `---FILE: d${n}/a.md---\nx\n---END FILE---`),
};

const figures = Object.entries(answers).flatMap(([what, answer]) => [
  { what: `200 KB: ${what}`, value: best([answer(200 * KB)])[0], unit: 'ms', atMost: BUDGET_MS },
  { what: '  1 MB at once against ten times 100 KB', value: growth(answer), unit: '×', atMost: MAX_GROWTH },
]);
console.log(table({ ours: figures }));
process.exitCode = figures.some(isOver) && !options['report-only'] ? 1 : 0;

/** Interleaved, the best of some rounds each, so that a busy machine does not count. */
function best(...loads) {
  const times = loads.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    loads.forEach((texts, index) => {
      const start = performance.now();
      for (const text of texts) readFileBlocks(text);
      times[index].push(performance.now() - start);
    });
  }
  return times.map((list) => Math.min(...list));
}

function growth(answer) {
  const [parts, whole] = best(Array(10).fill(answer(100 * KB)), [answer(1000 * KB)]);
  return whole / parts;
}

function repeated(text, bytes) {
  return text.repeat(Math.ceil(bytes / text.length));
}

function lines(bytes, line) {
  const found = [];
  for (let size = 0, n = 1; size < bytes; n++) {
    found.push(line(n));
    size += found.at(-1).length + 1;
  }
  return found.join('\n');
}
