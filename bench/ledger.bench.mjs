// `npm run bench -- ledger`: the ledger against the budgets of the design, on both stores. `--report-only` never fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openLedger } from '../dist/index.js';
import { onBothStores } from './support/both-stores.mjs';
import { fill } from './support/fill.mjs';
import { spread, timed } from './support/measure.mjs';

const CALLERS = 16;
const PAIRS_MS = 2000;
const HEARD = 150;
/** A person, because an agent's rate limit is far below what a ledger can handle. */
const asker = { actor: { kind: 'person', name: 'asker' }, channel: 'command' };
const person = { actor: { kind: 'person', name: 'ann' }, channel: 'command' };

await onBothStores(bench);

async function bench(store, place) {
  const ledger = await openLedger(place, {});
  const step = async (title, work) => {
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
async function pairs(ledger) {
  const what = `create + resolve, ${CALLERS} callers, durable`;
  const rounds = [];
  for (let round = 0; round < 3; round++) rounds.push(await pairsOfRound(ledger, `round-${round}`));
  const best = rounds.reduce((a, b) => (a.length > b.length ? a : b));
  const { p50, p99 } = spread(best);
  return [
    { what: `${what}: pairs per second`, value: (best.length / PAIRS_MS) * 1000, unit: '/s', atLeast: 3000 },
    { what: `${what}: one pair, p50`, value: p50, unit: 'ms' },
    { what: `${what}: one pair, p99`, value: p99, unit: 'ms' },
  ];
}

async function pairsOfRound(ledger, round) {
  const end = performance.now() + PAIRS_MS;
  const times = [];
  const caller = async (name) => {
    for (let n = 0; performance.now() < end; n++) {
      const start = performance.now();
      await pair(ledger, `${name}-${n}`);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(`${round}-${index}`)));
  return times;
}

async function pair(ledger, sourceId) {
  const questions = [{ id: 'q1', text: `Which colour for ${sourceId}?`, options: ['red', 'blue'] }];
  const { notification } = await ledger.notifications.create(
    { projectId: 'pairs', source: 'gap', sourceId, questions },
    asker,
  );
  const responses = [{ questionId: 'q1', answer: 'red' }];
  await ledger.notifications.resolve('pairs', notification.id, { responses }, person);
}

/** Another process watches and waits; the clock runs from the acknowledged write here to its line there. */
async function heard(ledger, place) {
  const file = fileURLToPath(new URL('./support/listener.mjs', import.meta.url));
  const child = spawn(process.execPath, [file, place, 'heard'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => BigInt((await lines.next()).value.split(' ')[1]);
  const since = async (stored) => Math.max(0, Number((await next()) - stored) / 1e6);
  const [questions, answers] = [[], []];
  await next();
  for (let n = 0; n < HEARD; n++) {
    await sleep(Math.random() * 30); // anywhere between two checks of the watcher
    const asked = {
      projectId: 'heard',
      source: 'gap',
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
    ['question stored → heard by a watcher in another process', spread(questions)],
    ['answer stored → wait() returns in another process', spread(answers)],
  ].flatMap(([what, { p50, p99 }]) => [
    { what: `${what}, p50`, value: p50, unit: 'ms' },
    { what: `${what}, p99`, value: p99, unit: 'ms', atMost: 100 },
  ]);
}

async function putIn(_ledger, place) {
  await fill(place, async ({ tasks, questions }) => {
    await tasks('small', 10_000);
    await tasks('large', 1_000_000);
    await questions('small', 1000);
    await questions('large', 1_000_000);
  });
  return [];
}

async function read({ notifications, tasks }) {
  const wanted = [
    ['ready(), first 100 of 10,000 tasks', 1, () => tasks.ready('small')],
    ['ready(), first 100 of 1,000,000 tasks', 5, () => tasks.ready('large')],
    [
      'first page of 1,000,000 open questions, one project',
      5,
      () => notifications.list({ projectId: 'large' }),
    ],
    ['first page of 1,001,000 open questions, all projects', 5, () => notifications.list()],
    ['a page from the middle of them', 5, () => notifications.list({ after: '500000.m' })],
    ['deadlines to apply among them: none', 5, () => notifications.applyDeadlines()],
  ];
  const figures = [];
  for (const [what, atMost, work] of wanted)
    figures.push({ what, value: await timed(work), unit: 'ms', atMost });
  return figures;
}
