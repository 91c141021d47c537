// `npm run bench -- stream`: reading an agent's output (STR-7), beside plain split + JSON.parse of the same bytes in
// the same run; then memory over 1 GB of input. `--report-only` never fails; `--gigabytes 0.1` is quicker.
import { parseArgs } from 'node:util';
import { generate, messageLine, usualLine } from './support/agent-output.mjs';
import { isOver } from './support/budget.mjs';
import { loadSource } from './support/load-source.mjs';

const { AgentStream, inspectRun } = await loadSource({
  AgentStream: 'agents/stream/agent-stream.ts',
  inspectRun: 'agents/stream/inspect-run.ts',
});

const { values: options } = parseArgs({
  options: { 'report-only': { type: 'boolean' }, gigabytes: { type: 'string', default: '1' } },
});

const LINES = 100_000;
const ROUNDS = 11;
const CHUNK = 64 * 1024;
const ANCESTOR = 'the Rust ancestor on its own machine: 105 MB/s';

// First, while this process is small.
const figures = [
  memory(Number(options.gigabytes) * 1e9),
  compare('a usual run (text, tools and what they gave back, pieces of messages)', usualLine),
  compare('the worst case (every line is a message of the agent)', messageLine),
];
process.exitCode = figures.some(isOver) && !options['report-only'] ? 1 : 0;

function compare(what, lineOf) {
  const bytes = generate(lineOf, LINES);
  const chunks = chunked(bytes);
  const megabytes = bytes.length / 1e6;
  const plain = [];
  const ours = [];
  let view;
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
  return verdict({
    what: `ratio by CPU time (by the clock: ${wall.toFixed(2)})`,
    value: cost,
    unit: '×',
    atLeast: 0.9,
  });
}

function memory(target) {
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
  return verdict({ what: 'growth', value: (most - start) / 1e6, unit: 'MB', atMost: 64 });
}

function plainly(bytes) {
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

function read(chunks) {
  const stream = new AgentStream({ from: 'claude' });
  for (const chunk of chunks) stream.push(chunk);
  stream.end();
  return stream.view();
}

function chunked(bytes) {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(bytes.subarray(at, at + CHUNK));
  return chunks;
}

function measured(run) {
  const start = performance.now();
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

function print(name, runs, megabytes) {
  const cell = (ms) =>
    `${ms.toFixed(0).padStart(5)} ms ${(megabytes / (ms / 1000)).toFixed(0).padStart(4)} MB/s`;
  const best = Math.min(...runs.map(({ wall }) => wall));
  console.log(
    `  ${name.padEnd(20)} median ${cell(median(runs, 'wall'))}   best ${cell(best)}   CPU time ${cell(median(runs, 'cpu'))}`,
  );
}

function median(runs, key) {
  return runs.map((run) => run[key]).sort((a, b) => a - b)[Math.floor(runs.length / 2)];
}

function verdict(figure) {
  const { what, value, unit, atMost, atLeast } = figure;
  const budget = atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
  const shown = `${value.toFixed(2)} ${unit}, budget ${budget} ${unit}`;
  console.log(`  ${what}: ${shown}: ${isOver(figure) ? 'OVER' : 'ok'}`);
  return figure;
}
