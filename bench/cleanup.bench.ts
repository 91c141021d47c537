// `npm run bench -- cleanup`: the whole process of `fermata plan cleanup-debug-logs` (DBG-2) on 20,000 files with 200
// markers, beside `git grep -l` over the same tree and our own start-up, in turn in the same run. `--report-only` never fails.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judge, size, verdict } from './support/budget.ts';
import { runProgram } from './support/measure.ts';

const files = size(20_000, 20);
const markers = size(200, 2);
const FERMATA = join(process.cwd(), 'bin/fermata.cjs');
const place = mkdtempSync(join(tmpdir(), 'fermata-bench-'));
const tree = join(place, 'tree');
const env = { ...process.env, FERMATA_HOME: join(place, 'home'), NODE_EXTRA_CA_CERTS: undefined };
try {
  writeTree();
  const times = { start: [] as number[], grep: [] as number[], cleanup: [] as number[] };
  cleanUp(); // makes the code cache
  for (let round = 0; round < size(7, 1); round++) {
    mark();
    times.start.push(run(process.execPath, [FERMATA, '--version']).wall);
    times.grep.push(run('git', ['grep', '-l', '-F', '[DEBUG-TEMP]']).wall);
    times.cleanup.push(cleanUp());
  }
  const start = Math.min(...times.start);
  const grep = Math.min(...times.grep);
  const cleanup = Math.min(...times.cleanup);
  const budget = 2 * grep + start;
  const figure = { what: 'clean-up', value: cleanup / budget, unit: '× the budget', atMost: 1 };
  const cells = {
    'clean-up': cleanup,
    'git grep -l': grep,
    'fermata --version': start,
    'budget (2 × grep + start)': budget,
  };
  console.log(`${files} files, ${markers} markers`);
  for (const [name, time] of Object.entries(cells)) console.log(`  ${name.padEnd(26)} ${time.toFixed(0)} ms`);
  console.log(`  ${figure.value.toFixed(2)} of the budget ${verdict([figure])}`);
  judge([figure]);
} finally {
  rmSync(place, { recursive: true, force: true });
}

function pathOf(index: number): string {
  return join(tree, `folder-${Math.floor(index / 100)}`, `file-${index}.ts`);
}

function content(index: number, marked: boolean): string {
  const code = Array.from(
    { length: 40 },
    (_, n) => `export const value${n} = ${index} * ${n}; // a line of code\n`,
  );
  if (marked) code.splice(20, 0, '// [DEBUG-TEMP]\nconsole.log(1);\nconsole.log(2);\n\n');
  return code.join('');
}

function writeTree(): void {
  for (let index = 0; index < files; index++) {
    if (index % 100 === 0) mkdirSync(join(pathOf(index), '..'), { recursive: true });
    writeFileSync(pathOf(index), content(index, false));
  }
  mark();
  run('git', ['init', '-q']);
  run('git', ['add', '.']);
  const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org'];
  run('git', [...who, '-c', 'gc.auto=0', 'commit', '-q', '-m', 'tree']);
}

function mark(): void {
  for (let n = 0; n < markers; n++) {
    const index = Math.floor((n * files) / markers);
    writeFileSync(pathOf(index), content(index, true));
  }
}

function cleanUp(): number {
  const { wall, stdout } = run(process.execPath, [FERMATA, 'plan', 'cleanup-debug-logs']);
  const { data } = JSON.parse(stdout);
  const wanted = { success: true, markers_removed: markers, lines_deleted: 3 * markers };
  for (const [key, value] of Object.entries(wanted)) {
    if (data[key] !== value) throw new Error(`${key} is ${data[key]}, not ${value}`);
  }
  return wall;
}

function run(program: string, args: readonly string[]) {
  return runProgram(program, args, { cwd: tree, env });
}
