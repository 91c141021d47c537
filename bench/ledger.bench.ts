// `npm run bench -- ledger`: the ledger against the budgets of the design, on both stores. `--report-only` never fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ledger, openLedger } from '../src/ledger/ledger.ts';
import type { By } from '../src/schema/actor.ts';
import { onBothStores } from './support/both-stores.ts';
import { type Figure, size } from './support/budget.ts';
import { fill } from './support/fill.ts';
import { latency, spread, timed } from './support/measure.ts';

const CALLERS = 16;
const PAIRS_MS = size(2000, 20);
const HEARD = size(150, 2);
const MILLION = size(1_000_000, 1000);
/** A person, because an agent's rate limit is far below what a ledger can handle. */
const asker: By = { actor: { kind: 'person', name: 'asker' }, channel: 'command' };
const person: By = { actor: { kind: 'person', name: 'ann' }, channel: 'command' };

if (process.argv[2] === '--listen') await listen(process.argv[3] ?? '', process.argv[4] ?? '');
else await onBothStores(bench);

async function bench(store: string, place: string): Promise<Figure[]> {
  const ledger = await openLedger(place, {});
  const step = async (title: string, work: (ledger: Ledger, place: string) => Promise<Figure[]>) => {
    process.stderr.write(`${store}: ${title} …  `);
    const start = performance.now();
    const figures = await work(ledger, place);
    process.stderr.write(`${((performance.now() - start) / 1000).toFixed(0)} s\n`);
    return figures;
  };
  try {
    for (const id of ['small', 'large', 'pairs', 'heard'])
      await ledger.projects.ensure({ id, name: id, root: null });
    return [
      ...(await step('create and resolve', pairs)),
      ...(await step('heard in another process', heard)),
      ...(await step('putting in 1,000,000 tasks and 1,000,000 open questions', putIn)),
      ...(await step('reading among them', read)),
    ];
  } finally {
    await ledger.close();
  }
}

/** The best of three rounds, so that a busy machine does not count. */
async function pairs(ledger: Ledger): Promise<Figure[]> {
  const what = `create + resolve, ${CALLERS} callers, durable`;
  const rounds: number[][] = [];
  for (let round = 0; round < 3; round++) rounds.push(await pairsOfRound(ledger, `round-${round}`));
  const best = rounds.reduce((a, b) => (a.length > b.length ? a : b));
  const { p50, p99 } = spread(best);
  return [
    { what: `${what}: pairs per second`, value: (best.length / PAIRS_MS) * 1000, unit: '/s', atLeast: 3000 },
    { what: `${what}: one pair, p50`, value: p50, unit: 'ms' },
    { what: `${what}: one pair, p99`, value: p99, unit: 'ms' },
  ];
}

async function pairsOfRound(ledger: Ledger, round: string): Promise<number[]> {
  const end = performance.now() + PAIRS_MS;
  const times: number[] = [];
  const caller = async (name: string) => {
    for (let n = 0; performance.now() < end; n++) {
      const start = performance.now();
      await pair(ledger, `${name}-${n}`);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(`${round}-${index}`)));
  return times;
}

async function pair(ledger: Ledger, sourceId: string): Promise<void> {
  const questions = [{ id: 'q1', text: `Which colour for ${sourceId}?`, options: ['red', 'blue'] }];
  const { notification } = await ledger.notifications.create(
    { projectId: 'pairs', source: 'gap', sourceId, questions },
    asker,
  );
  const responses = [{ questionId: 'q1', answer: 'red' }];
  await ledger.notifications.resolve('pairs', notification.id, { responses }, person);
}

/** Another process watches and waits; the clock runs from the acknowledged write here to its line there. */
async function heard(ledger: Ledger, place: string): Promise<Figure[]> {
  const args = [import.meta.filename, '--listen', place, 'heard'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => BigInt((await lines.next()).value.split(' ')[1]);
  const since = async (stored: bigint) => Math.max(0, Number((await next()) - stored) / 1e6);
  const questions: number[] = [];
  const answers: number[] = [];
  await next();
  for (let n = 0; n < HEARD; n++) {
    await sleep(Math.random() * 30); // anywhere between two checks of the watcher
    const asked = {
      projectId: 'heard',
      source: 'gap' as const,
      sourceId: `s${n}`,
      questions: [{ id: 'q1', text: 'Which way?' }],
    };
    const { notification } = await ledger.notifications.create(asked, asker);
    questions.push(await since(process.hrtime.bigint()));
    await sleep(Math.random() * 30);
    const responses = [{ questionId: 'q1', answer: 'left' }];
    await ledger.notifications.resolve('heard', notification.id, { responses }, person);
    answers.push(await since(process.hrtime.bigint()));
  }
  child.stdin.end();
  await once(child, 'close');
  return [
    ...latency('question stored → heard by a watcher in another process', questions, { atMost: 100 }),
    ...latency('answer stored → wait() returns in another process', answers, { atMost: 100 }),
  ];
}

/** The other process: it sees each question, waits for its answer, and prints when, by the clock that all processes share. */
async function listen(place: string, project: string): Promise<void> {
  const ledger = await openLedger(place, {});
  const say = (what: string) => process.stdout.write(`${what} ${process.hrtime.bigint()}\n`);
  const stop = new AbortController();
  process.stdin.on('end', () => stop.abort()).resume();
  say('ready');
  for await (const event of ledger.events.watch(project, 0, stop.signal)) {
    if (event.type !== 'notification.added') continue;
    const waiting = ledger.notifications.wait(project, event.data.notification.id, stop.signal);
    say('heard');
    if (await waiting) say('answered');
  }
  await ledger.close();
}

async function putIn(_ledger: Ledger, place: string): Promise<Figure[]> {
  await fill(place, async ({ tasks, questions }) => {
    await tasks('small', MILLION / 100);
    await tasks('large', MILLION);
    await questions('small', MILLION / 1000);
    await questions('large', MILLION);
  });
  return [];
}

async function read({ notifications, tasks }: Ledger): Promise<Figure[]> {
  const wanted: [string, number, () => Promise<unknown>][] = [
    ['ready(), first 100 of 10,000 tasks', 1, () => tasks.ready('small')],
    ['ready(), first 100 of 1,000,000 tasks', 5, () => tasks.ready('large')],
    [
      'first page of 1,000,000 open questions, one project',
      5,
      () => notifications.list({ projectId: 'large' }),
    ],
    ['first page of 1,001,000 open questions, all projects', 5, () => notifications.list()],
    ['a page from the middle of them', 5, () => notifications.list({ after: `${MILLION / 2}.m` })],
    ['deadlines to apply among them: none', 5, () => notifications.applyDeadlines()],
  ];
  const figures: Figure[] = [];
  for (const [what, atMost, work] of wanted)
    figures.push({ what, value: await timed(work), unit: 'ms', atMost });
  return figures;
}
