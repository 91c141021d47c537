// `npm run bench -- audit`: the whole process of `fermata audit` (AUD-4) beside bare Node and markdown-it over the same
// bytes, in turn in the same run. `--report-only` never fails.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { type Figure, judge, size, verdict } from './support/budget.ts';
import { runProgram } from './support/measure.ts';
import { writePlan } from './support/plans.ts';

const PHASES = size(10_000, 10);
const ROUNDS = size(15, 1);
const FERMATA = join(process.cwd(), 'bin/fermata.cjs');
/** The budget applies from here on; below, starting costs more than auditing. */
const BUDGET_FROM = 1000;

interface AuditFigure extends Figure {
  count: number;
  audit: number;
}

if (process.argv[2] === '--parse-alone') {
  parseAlone(process.argv[3] ?? '');
  process.exit();
}

const place = mkdtempSync(join(tmpdir(), 'fermata-bench-'));
const environment = { ...process.env, FERMATA_HOME: join(place, 'home'), NODE_EXTRA_CA_CERTS: undefined };
try {
  const sizes = [10, 100, 1000, 10_000].filter((count) => count <= PHASES);
  const plain = sizes.map((count) => bench(`${count} phases`, count));
  judge([
    ...plain,
    bench(`${PHASES} phases, each after the one before`, PHASES, (phase) => phase - 1 || undefined),
    bench(`${PHASES} phases in one circle`, PHASES, (phase) => (phase % PHASES) + 1, 1),
    ...growth(plain),
  ]);
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** The best of some rounds each, so that a busy machine does not count. */
function bench(
  what: string,
  count: number,
  dependsOn: (phase: number) => number | undefined = () => undefined,
  expected = 0,
): AuditFigure {
  const folder = join(place, what.replaceAll(/\W/g, '-'));
  writePlan(folder, count, dependsOn);
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  run([FERMATA, 'audit', folder, '--json'], expected); // makes the code cache
  const times = { node: [] as number[], markdown: [] as number[], audit: [] as number[] };
  const rounds = Math.ceil(ROUNDS / (count >= 10_000 ? 4 : 1));
  for (let round = 0; round < rounds; round++) {
    times.node.push(run(['-e', '0']).wall);
    times.audit.push(run([FERMATA, 'audit', folder, '--json'], expected).wall);
    times.markdown.push(Number(run([import.meta.filename, '--parse-alone', folder]).stdout));
  }
  rmSync(folder, { recursive: true });
  const node = Math.min(...times.node);
  const markdown = Math.min(...times.markdown);
  const audit = Math.min(...times.audit);
  const budget = node + 1.5 * markdown;
  const figure = {
    what,
    count,
    audit,
    value: audit / budget,
    unit: '× the budget',
    ...(count >= BUDGET_FROM ? { atMost: 1 } : {}),
  };
  const cells = [
    `audit ${ms(audit)}`,
    `node ${ms(node)}`,
    `markdown-it ${ms(markdown)}`,
    `budget ${ms(budget)}`,
  ];
  console.log(
    `${what} (${(bytes / 1e6).toFixed(2)} MB)\n  ${cells.join('   ')}   ${figure.value.toFixed(2)} of it ${verdict([figure])}`,
  );
  return figure;
}

/** Ten times the phases may take ten times as long, plus a quarter for noise; the start does not count. */
function growth(plain: readonly AuditFigure[]): Figure[] {
  const [small, medium, large] = plain.slice(-3);
  if (!small || !medium || !large) return [];
  const perPhase = (a: AuditFigure, b: AuditFigure) => (b.audit - a.audit) / (b.count - a.count);
  const figure = {
    what: 'growth',
    value: perPhase(medium, large) / perPhase(small, medium),
    unit: '×',
    atMost: 1.25,
  };
  console.log(
    `time per further phase, ${medium.count} to ${large.count} against ${small.count} to ${medium.count}: ${figure.value.toFixed(2)} × (≤ ${figure.atMost}) ${verdict([figure])}`,
  );
  return [figure];
}

function run(args: readonly string[], expected = 0) {
  return runProgram(process.execPath, args, { env: environment, expected });
}

/** markdown-it over all Markdown files of a folder, and nothing else: prints how many milliseconds that took. */
function parseAlone(folder: string): void {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const parser = new MarkdownIt();
  const start = performance.now();
  for (const text of texts) parser.parse(text, {});
  console.log(performance.now() - start);
}

function ms(time: number): string {
  return `${time.toFixed(time < 100 ? 1 : 0)} ms`;
}
