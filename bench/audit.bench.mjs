// `npm run bench -- audit`: the whole process of `fermata audit` (AUD-4) beside bare Node and markdown-it over the same
// bytes, in turn in the same run. `--report-only` never fails; `--phases 10,100` is quicker.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isOver } from './support/budget.mjs';
import { writePlan } from './support/plans.mjs';

const { values: options } = parseArgs({
  options: {
    'report-only': { type: 'boolean' },
    phases: { type: 'string', default: '10,100,1000,10000' },
    rounds: { type: 'string', default: '15' },
  },
});

const FERMATA = fileURLToPath(new URL('../bin/fermata.cjs', import.meta.url));
const ALONE = fileURLToPath(new URL('./support/parse-alone.mjs', import.meta.url));
/** The budget applies from here on; below, starting costs more than auditing. */
const BUDGET_FROM = 1000;

const place = mkdtempSync(join(tmpdir(), 'fermata-bench-'));
const environment = { ...process.env, FERMATA_HOME: join(place, 'home'), NODE_EXTRA_CA_CERTS: undefined };
try {
  const sizes = options.phases.split(',').map(Number);
  const figures = sizes.flatMap((count) => bench(`${count} phases`, count));
  const largest = Math.max(...sizes);
  figures.push(
    ...bench(`${largest} phases, each after the one before`, largest, (phase) => phase - 1 || undefined),
    ...bench(`${largest} phases in one circle`, largest, (phase) => (phase % largest) + 1, 1),
    ...growth(figures),
  );
  process.exitCode = figures.some(isOver) && !options['report-only'] ? 1 : 0;
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** The best of some rounds each, so that a busy machine does not count. */
function bench(what, count, dependsOn, expected = 0) {
  const folder = join(place, what.replaceAll(/\W/g, '-'));
  writePlan(folder, count, dependsOn);
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  run([FERMATA, 'audit', folder, '--json'], expected); // makes the code cache
  const times = { node: [], markdown: [], audit: [] };
  const rounds = Math.ceil(Number(options.rounds) / (count >= 10_000 ? 4 : 1));
  for (let round = 0; round < rounds; round++) {
    times.node.push(run(['-e', '0']).wall);
    times.audit.push(run([FERMATA, 'audit', folder, '--json'], expected).wall);
    times.markdown.push(Number(run([ALONE, folder]).stdout));
  }
  rmSync(folder, { recursive: true });
  const [node, markdown, audit] = [times.node, times.markdown, times.audit].map((list) => Math.min(...list));
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
  const verdict = figure.atMost === undefined ? '' : isOver(figure) ? 'OVER' : 'ok';
  console.log(
    `${what} (${(bytes / 1e6).toFixed(2)} MB)\n  ${cells.join('   ')}   ${figure.value.toFixed(2)} of it ${verdict}`,
  );
  return [figure];
}

/** Ten times the phases may take ten times as long, plus a quarter for noise; the start does not count. */
function growth(figures) {
  const plain = figures.filter(({ what, count }) => what === `${count} phases`);
  const [small, medium, large] = plain.slice(-3);
  if (!small || !medium || !large) return [];
  const perPhase = (a, b) => (b.audit - a.audit) / (b.count - a.count);
  const figure = {
    what: 'growth',
    value: perPhase(medium, large) / perPhase(small, medium),
    unit: '×',
    atMost: 1.25,
  };
  console.log(
    `time per further phase, ${medium.count} to ${large.count} against ${small.count} to ${medium.count}: ${figure.value.toFixed(2)} × (≤ ${figure.atMost}) ${isOver(figure) ? 'OVER' : 'ok'}`,
  );
  return [figure];
}

function run(args, expected = 0) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: environment,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const wall = performance.now() - start;
  if (status !== expected)
    throw new Error(`${args.join(' ')} ended with ${status}: ${stderr || stdout.slice(0, 2000)}`);
  return { wall, stdout };
}

function ms(time) {
  return `${time.toFixed(time < 100 ? 1 : 0)} ms`;
}
