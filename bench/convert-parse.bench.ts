// `npm run bench -- convert-parse`: reading the files out of an agent's answer (CONV-2), on answers that are made to be
// slow: 200 KB of file headers without an end took an ancestor 85 s. `--report-only` never fails.
import { readFileBlocks } from '../src/plan/file-blocks.ts';
import { judge, size, table } from './support/budget.ts';

const KB = 1024;
const ROUNDS = size(15, 1);
const BUDGET_MS = 50;
/** The whole may take as long as ten parts of it; anything worse than linear would take up to ten times as long. */
const MAX_GROWTH = 2;

/** Each creates an answer of about this many bytes. */
const answers: Record<string, (bytes: number) => string> = {
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
  {
    what: `200 KB: ${what}`,
    value: best([[answer(200 * KB)]])[0] ?? Number.NaN,
    unit: 'ms',
    atMost: BUDGET_MS,
  },
  { what: '  1 MB at once against ten times 100 KB', value: growth(answer), unit: '×', atMost: MAX_GROWTH },
]);
console.log(table({ ours: figures }));
judge(figures);

/** Interleaved, the best of some rounds each, so that a busy machine does not count. */
function best(loads: readonly string[][]): number[] {
  const times = loads.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    loads.forEach((texts, index) => {
      const start = performance.now();
      for (const text of texts) readFileBlocks(text);
      times[index]?.push(performance.now() - start);
    });
  }
  return times.map((list) => Math.min(...list));
}

function growth(answer: (bytes: number) => string): number {
  const [parts = Number.NaN, whole = Number.NaN] = best([
    Array(10).fill(answer(100 * KB)),
    [answer(1000 * KB)],
  ]);
  return whole / parts;
}

function repeated(text: string, bytes: number): string {
  return text.repeat(Math.ceil(bytes / text.length));
}

function lines(bytes: number, line: (n: number) => string): string {
  const found: string[] = [];
  for (let length = 0, n = 1; length < bytes; n++) {
    const next = line(n);
    found.push(next);
    length += next.length + 1;
  }
  return found.join('\n');
}
