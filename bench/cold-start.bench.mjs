// `npm run bench -- cold-start`: commands that an agent calls all day, as whole processes, beside bare Node in
// turn in the
// same run. `--report-only` never fails; `--rounds 10` is quicker.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isOver } from './support/budget.mjs';
import { spread } from './support/measure.mjs';
import { writePlan } from './support/plans.mjs';

const { values: options } = parseArgs({
  options: { 'report-only': { type: 'boolean' }, rounds: { type: 'string', default: '30' } },
});

const FERMATA = fileURLToPath(new URL('../bin/fermata.cjs', import.meta.url));
const BUDGET = 2;

const place = mkdtempSync(join(tmpdir(), 'fermata-bench-'));
const environment = { ...process.env, FERMATA_HOME: join(place, 'home'), NODE_EXTRA_CA_CERTS: undefined };
try {
  const repository = makeRepository(join(place, 'project'));
  const commands = [
    { name: 'node -e 0', args: ['-e', '0'] },
    { name: 'fermata --version', args: [FERMATA, '--version'] },
    { name: 'fermata protocol debugging', args: [FERMATA, 'protocol', 'debugging'], atMost: BUDGET },
    { name: 'fermata plan next', args: [FERMATA, 'plan', 'next', 'plan'] },
    { name: 'fermata plan read-prompt', args: [FERMATA, 'plan', 'read-prompt', '1', '--plan', 'plan'] },
    { name: 'fermata git diff-base', args: [FERMATA, 'git', 'diff-base'] },
  ];
  const times = measure(commands, repository, Number(options.rounds));
  const figures = report(commands, times);
  process.exitCode = figures.some(isOver) && !options['report-only'] ? 1 : 0;
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** A feature branch with a change and a plan of ten phases. */
function makeRepository(folder) {
  const git = (...args) => run('git', ['-C', folder, ...args]);
  run('git', ['init', '-q', '-b', 'main', folder]);
  git('config', 'user.email', 'bench@example.com');
  git('config', 'user.name', 'bench');
  git('commit', '-q', '--allow-empty', '-m', 'start');
  git('checkout', '-q', '-b', 'feature');
  writePlan(join(folder, 'plan'), 10);
  writeFileSync(join(folder, 'code.js'), 'export const answer = 42;\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'a plan');
  return folder;
}

/** Each runs once first, for the code cache; then in turn, so that a busy moment affects all alike. */
function measure(commands, cwd, rounds) {
  for (const { args } of commands) run(process.execPath, args, cwd);
  const times = commands.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { args }] of commands.entries()) times[index].push(run(process.execPath, args, cwd));
  }
  return times;
}

function report(commands, times) {
  const [bare] = times.map((list) => ({ min: Math.min(...list), median: spread(list).p50 }));
  console.log(`${''.padEnd(30)}  ${'minimum'.padStart(16)}  ${'median'.padStart(16)}`);
  return commands.map(({ name, atMost }, index) => {
    const [min, median] = [Math.min(...times[index]), spread(times[index]).p50];
    const cell = (time, node) => `${time.toFixed(1)} ms ${(time / node).toFixed(2)} ×`.padStart(16);
    const figure = { what: name, value: min / bare.min, unit: '×', atMost };
    const verdict = atMost === undefined ? '' : `≤ ${atMost} × ${isOver(figure) ? 'OVER' : 'ok'}`;
    console.log(
      `${name.padEnd(30)}  ${cell(min, bare.min)}  ${cell(median, bare.median)}  ${verdict}`.trimEnd(),
    );
    return figure;
  });
}

function run(program, args, cwd) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, { env: environment, cwd, encoding: 'utf8' });
  const wall = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr || stdout}`);
  return wall;
}
