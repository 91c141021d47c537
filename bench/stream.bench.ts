// `npm run bench -- stream`: reading an agent's output (STR-7), beside plain split + JSON.parse of the same bytes in
// the same run; then memory over 1 GB of input. `--report-only` never fails.
import { AgentStream } from '../src/agents/stream/agent-stream.ts';
import { inspectRun } from '../src/agents/stream/inspect-run.ts';
import { generate, type LineOf, messageLine, usualLine } from './support/agent-output.ts';
import { type Figure, judge, size, verdict } from './support/budget.ts';

interface Cost {
  wall: number;
  cpu: number;
}

const LINES = size(100_000, 1000);
const ROUNDS = size(11, 1);
const CHUNK = 64 * 1024;
const ANCESTOR = 'the Rust ancestor on its own machine: 105 MB/s';

// First, while this process is small.
const figures = [
  memory(size(1e9, 1e6)),
  compare('a usual run (text, tools and what they gave back, pieces of messages)', usualLine),
  compare('the worst case (every line is a message of the agent)', messageLine),
];
judge(figures);

function compare(what: string, lineOf: LineOf): Figure {
  const bytes = generate(lineOf, LINES);
  const chunks = chunked(bytes);
  const megabytes = bytes.length / 1e6;
  const plain: Cost[] = [];
  const ours: Cost[] = [];
  let view = read([]);
  for (let round = 0; round < ROUNDS; round++) {
    // Interleaved, with alternating order, because the load of the machine varies.
    const runs = [
      () => plain.push(measured(() => plainly(bytes))),
      () =>
        ours.push(
          measured(() => {
            view = read(chunks);
          }),
        ),
    ];
    for (const run of round % 2 ? runs : runs.reverse()) run();
  }
  const heard = inspectRun(view);
  console.log(`\n${what}: ${LINES} lines, ${megabytes.toFixed(1)} MB, 10 % garbage`);
  print('split + JSON.parse', plain, megabytes);
  print('AgentStream', ours, megabytes);
  console.log(`  ${ANCESTOR}`);
  console.log(
    `  heard: ${heard.questions.length} questions, ${heard.usage.output_tokens} tokens, ${heard.skipped_lines} lines skipped`,
  );
  const wall = median(plain, 'wall') / median(ours, 'wall');
  // Other programs on the machine do not affect CPU time, so this is compared with the budget.
  const cost = median(plain, 'cpu') / median(ours, 'cpu');
  return printed({
    what: `ratio by CPU time (by the clock: ${wall.toFixed(2)})`,
    value: cost,
    unit: '×',
    atLeast: 0.9,
  });
}

function memory(target: number): Figure {
  const stream = new AgentStream({ from: 'claude' });
  let size = 0;
  let start = 0;
  let most = 0;
  for (let round = 0; size < target; round++) {
    // Created anew each time, so that no id repeats; bounded buffers fill up in the first third.
    const bytes = generate(usualLine, LINES / 10, round);
    for (const chunk of chunked(bytes)) stream.push(chunk);
    size += bytes.length;
    const rss = process.memoryUsage.rss();
    if (size < target / 3) start = Math.max(start, rss);
    else most = Math.max(most, rss);
  }
  const part = Buffer.alloc(1024 * 1024, 'x');
  for (let i = 0; i < 200; i++) stream.push(part);
  most = Math.max(most, process.memoryUsage.rss());
  stream.end();
  console.log(`memory: ${(size / 1e9).toFixed(2)} GB of input, then one line of 200 MiB`);
  console.log(
    `  RSS ${(start / 1e6).toFixed(0)} MB after a third, at most ${(most / 1e6).toFixed(0)} MB after that`,
  );
  return printed({ what: 'growth', value: (most - start) / 1e6, unit: 'MB', atMost: 64 });
}

function plainly(bytes: Buffer): number {
  let read = 0;
  for (const line of bytes.toString('utf8').split('\n')) {
    try {
      JSON.parse(line);
      read += 1;
    } catch {
      read -= 1;
    }
  }
  return read;
}

function read(chunks: readonly Buffer[]) {
  const stream = new AgentStream({ from: 'claude' });
  for (const chunk of chunks) stream.push(chunk);
  stream.end();
  return stream.view();
}

function chunked(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(bytes.subarray(at, at + CHUNK));
  return chunks;
}

function measured(run: () => void): Cost {
  const start = performance.now();
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

function print(name: string, runs: readonly Cost[], megabytes: number): void {
  const cell = (ms: number) =>
    `${ms.toFixed(0).padStart(5)} ms ${(megabytes / (ms / 1000)).toFixed(0).padStart(4)} MB/s`;
  const best = Math.min(...runs.map(({ wall }) => wall));
  console.log(
    `  ${name.padEnd(20)} median ${cell(median(runs, 'wall'))}   best ${cell(best)}   CPU time ${cell(median(runs, 'cpu'))}`,
  );
}

function median(runs: readonly Cost[], key: keyof Cost): number {
  return runs.map((run) => run[key]).sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? Number.NaN;
}

function printed(figure: Figure): Figure {
  const { what, value, unit, atMost, atLeast } = figure;
  const budget = atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
  const shown = `${value.toFixed(2)} ${unit}, budget ${budget} ${unit}`;
  console.log(`  ${what}: ${shown}: ${verdict([figure])}`);
  return figure;
}
