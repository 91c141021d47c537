// `npm run bench -- cold-start`: commands that an agent calls all day, as whole processes, beside bare Node in
// turn in the same run. `--report-only` never fails.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, judge, size, verdict } from './support/budget.ts';
import { runProgram, spread } from './support/measure.ts';
import { writePlan } from './support/plans.ts';

const FERMATA = join(process.cwd(), 'bin/fermata.cjs');
const BUDGET = 2;

interface Command {
  name: string;
  args: readonly string[];
  atMost?: number;
}

const place = mkdtempSync(join(tmpdir(), 'fermata-bench-'));
const environment = { ...process.env, FERMATA_HOME: join(place, 'home'), NODE_EXTRA_CA_CERTS: undefined };
try {
  const repository = makeRepository(join(place, 'project'));
  const commands: Command[] = [
    { name: 'node -e 0', args: ['-e', '0'] },
    { name: 'fermata --version', args: [FERMATA, '--version'] },
    { name: 'fermata protocol debugging', args: [FERMATA, 'protocol', 'debugging'], atMost: BUDGET },
    { name: 'fermata plan next', args: [FERMATA, 'plan', 'next', 'plan'] },
    {
      name: 'fermata plan read-prompt',
      args: [FERMATA, 'plan', 'read-prompt', '1', '--plan', 'plan', '--trust'],
    },
    { name: 'fermata git diff-base', args: [FERMATA, 'git', 'diff-base'] },
  ];
  judge(report(commands, measure(commands, repository, size(30, 1))));
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** A feature branch with a change and a plan of ten phases. */
function makeRepository(folder: string): string {
  const git = (...args: string[]) => run('git', ['-C', folder, ...args]);
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
function measure(commands: readonly Command[], cwd: string, rounds: number): number[][] {
  for (const { args } of commands) run(process.execPath, args, cwd);
  const times = commands.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { args }] of commands.entries()) times[index]?.push(run(process.execPath, args, cwd));
  }
  return times;
}

function report(commands: readonly Command[], times: readonly number[][]): Figure[] {
  const all = times.map((list) => ({ min: Math.min(...list), median: spread(list).p50 }));
  const bare = all[0] ?? { min: 1, median: 1 };
  console.log(`${''.padEnd(30)}  ${'minimum'.padStart(16)}  ${'median'.padStart(16)}`);
  return commands.map(({ name, atMost }, index) => {
    const { min, median } = all[index] ?? bare;
    const cell = (time: number, node: number) =>
      `${time.toFixed(1)} ms ${(time / node).toFixed(2)} ×`.padStart(16);
    const figure = { what: name, value: min / bare.min, unit: '×', atMost };
    const judged = atMost === undefined ? '' : `≤ ${atMost} × ${verdict([figure])}`;
    console.log(
      `${name.padEnd(30)}  ${cell(min, bare.min)}  ${cell(median, bare.median)}  ${judged}`.trimEnd(),
    );
    return figure;
  });
}

function run(program: string, args: readonly string[], cwd?: string): number {
  return runProgram(program, args, { cwd, env: environment }).wall;
}
