// The hub's speed budgets: the real program, driven over real sockets, on both stores.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLedger } from '../src/ledger/ledger.ts';
import { onBothStores } from './support/both-stores.ts';
import { type Figure, size } from './support/budget.ts';
import { fill } from './support/fill.ts';
import { type HttpClient, httpClient } from './support/http-client.ts';
import { type RunningHub, startHub } from './support/hub-process.ts';
import { latency, spread, timed } from './support/measure.ts';
import { type RawSocket, rawSocket } from './support/raw-socket.ts';

const STARTS = size(7, 1);
const IDLE_MS = size(30_000, 0);
const ROUNDS = size(5, 1);
const ROUND_MS = size(2000, 20);
const MESSAGES = size(1000, 2);
const MESSAGES_MS = 10_000;
const SOCKETS = size(5000, 5);
const OPEN_QUESTIONS = size(100_000, 100);

interface Place {
  store: string;
  home: string;
}

interface Parts {
  hub: RunningHub;
  project: string;
  place: Place;
}

await onBothStores(bench);

async function bench(name: string, store: string, dir: string): Promise<Figure[]> {
  const home = join(dir, name);
  mkdirSync(home);
  const place = { store, home };
  const start = await starts(place);
  const project = 'bench';
  const ledger = await openLedger(store, {});
  await ledger.projects.ensure({ id: project, name: project, root: null });
  await ledger.close();
  const hub = await startHub(place);
  const step = (title: string, work: (parts: Parts) => Promise<Figure[]>) => {
    process.stderr.write(`${name}: ${title} …\n`);
    return work({ hub, project, place });
  };
  try {
    return [
      ...start,
      ...(await step('idle for 30 s', idle)),
      ...(await step('messages to sockets', messages)),
      ...(await step('from hub to hub', twoHubs)),
      ...(await step('create and resolve', pairs)),
      ...(await step('5,000 sockets', manySockets)),
      ...(await fill(store, ({ questions }) => questions(project, OPEN_QUESTIONS)).then(() =>
        step('100,000 open questions', manyQuestions),
      )),
    ];
  } finally {
    await hub.stop();
  }
}

/** A separate connection for each step, because the hub closes idle ones. */
async function withClient<T>(
  { url, token }: RunningHub,
  work: (client: HttpClient) => Promise<T>,
): Promise<T> {
  const client = await httpClient(url, token);
  try {
    return await work(client);
  } finally {
    client.end();
  }
}

/** The first start creates the store and the code cache, and does not count. */
async function starts(place: Place): Promise<Figure[]> {
  const times: number[] = [];
  for (let n = 0; n <= STARTS; n++) {
    const hub = await startHub(place);
    if (n > 0) times.push(hub.startMs);
    await hub.stop();
  }
  return [
    {
      what: `start until it says where it is, best of ${STARTS}`,
      value: Math.min(...times),
      unit: 'ms',
      atMost: 300,
    },
  ];
}

async function idle({ hub }: Parts): Promise<Figure[]> {
  await sleep(IDLE_MS);
  return [{ what: 'memory after 30 s without work', value: hub.memory(), unit: 'MB', atMost: 100 }];
}

function messages(parts: Parts): Promise<Figure[]> {
  return withClient(parts.hub, async (client) => [
    ...(await messagesTo({ ...parts, client }, 1)),
    ...(await messagesTo({ ...parts, client }, 100)),
  ]);
}

/** From the first byte of the request to the first byte at the last of the sockets. */
async function untilLast(
  sockets: readonly RawSocket[],
  client: HttpClient,
  project: string,
  sourceId: string,
): Promise<{ id: string; time: number }> {
  const heard = Promise.all(sockets.map((socket) => socket.next()));
  const start = performance.now();
  const { id } = await create(client, project, sourceId);
  return { id, time: Math.max(...(await heard)) - start };
}

async function messagesTo(
  { hub, project, client }: Parts & { client: HttpClient },
  count: number,
): Promise<Figure[]> {
  const sockets = await openSockets(hub, project, count);
  const sent: { id: string; time: number }[] = [];
  const end = performance.now() + MESSAGES_MS;
  for (let n = 0; n < MESSAGES && performance.now() < end; n++) {
    sent.push(await untilLast(sockets, client, project, `to-${count}-${n}`));
  }
  for (const socket of sockets) socket.end();
  // Open questions would slow down the next steps.
  for (const { id } of sent) await answer(client, project, id);
  const what = `question sent → on ${count === 1 ? 'the socket' : `the last of ${count} sockets`}`;
  const times = sent.map(({ time }) => time);
  return latency(what, times, count === 1 ? { atMost: 5 } : {});
}

/** From the first byte of an answer at one hub to the first byte of its event at a socket of another. */
async function twoHubs({ hub, project, place }: Parts): Promise<Figure[]> {
  const other = await startHub(place);
  const socket = await rawSocket(other, `/ws/projects/${project}`);
  const times = await withClient(hub, async (client) => {
    const taken: number[] = [];
    const end = performance.now() + MESSAGES_MS;
    for (let n = 0; n < MESSAGES && performance.now() < end; n++) {
      const added = socket.next();
      const { id } = await create(client, project, `from-hub-to-hub-${n}`);
      await added;
      const heard = socket.next();
      const start = performance.now();
      await answer(client, project, id);
      taken.push((await heard) - start);
    }
    return taken;
  });
  socket.end();
  await other.stop();
  const what = 'answer sent to one hub → on a socket of another';
  return latency(what, times, { atMost: 50, onEveryStore: true });
}

async function pairs({ hub, project }: Parts): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const clients of [1, 16]) {
    const rounds: number[][] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push(await pairsOfRound(hub, project, clients, round));
    const best = rounds.reduce((a, b) => (a.length > b.length ? a : b));
    const what = `create + resolve over REST, ${clients} client${clients > 1 ? 's' : ''}`;
    const budget = clients === 16 ? { atLeast: 3000 } : {};
    figures.push(
      { what: `${what}: pairs per second`, value: (best.length / ROUND_MS) * 1000, unit: '/s', ...budget },
      { what: `${what}: one pair, p99`, value: spread(best).p99, unit: 'ms' },
    );
  }
  return figures;
}

async function pairsOfRound(
  { url, token }: RunningHub,
  project: string,
  clients: number,
  round: number,
): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + ROUND_MS;
  const caller = async (name: string) => {
    const client = await httpClient(url, token);
    for (let n = 0; performance.now() < end; n++) {
      const start = performance.now();
      const { id } = await create(client, project, `${name}-${n}`);
      await answer(client, project, id);
      times.push(performance.now() - start);
    }
    client.end();
  };
  const names = Array.from({ length: clients }, (_, index) => `pair-${clients}-${round}-${index}`);
  await Promise.all(names.map(caller));
  return times;
}

async function manySockets({ hub, project }: Parts): Promise<Figure[]> {
  const before = hub.memory();
  const sockets = await openSockets(hub, project, SOCKETS);
  const times: number[] = [];
  for (let n = 0; n < 5; n++) {
    const { time } = await withClient(hub, (client) => untilLast(sockets, client, project, `many-${n}`));
    times.push(time);
  }
  const memory = hub.memory();
  for (const socket of sockets) socket.end();
  return [
    {
      what: `one message to the last of ${SOCKETS} sockets, best of 5`,
      value: Math.min(...times),
      unit: 'ms',
      atMost: 150,
    },
    { what: `memory for ${SOCKETS} sockets`, value: memory - before, unit: 'MB' },
  ];
}

async function openSockets(hub: RunningHub, project: string, count: number): Promise<RawSocket[]> {
  const sockets: RawSocket[] = [];
  for (let left = count; left > 0; left -= 100) {
    const some = Array.from({ length: Math.min(left, 100) }, () => rawSocket(hub, `/ws/projects/${project}`));
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

function manyQuestions({ hub }: Parts): Promise<Figure[]> {
  return withClient(hub, async (client) => {
    const get = async (path: string) => {
      const { status, body } = await client.call('GET', path);
      if (status !== 200) throw new Error(body);
    };
    const some = { rounds: 3, calls: 20 };
    const page = await timed(() => get('/notifications'), some);
    const counted = await timed(() => get('/metrics'), some);
    return [
      { what: 'first page of 100,000 open questions', value: page, unit: 'ms', atMost: 5 },
      { what: 'all of them counted (/metrics)', value: counted, unit: 'ms' },
    ];
  });
}

async function create(client: HttpClient, project: string, sourceId: string): Promise<{ id: string }> {
  const questions = [{ id: 'q1', text: `Which colour for ${sourceId}?`, options: ['red', 'blue'] }];
  const { status, body } = await client.call('POST', `/projects/${project}/notifications`, {
    source: 'gap',
    sourceId,
    questions,
  });
  if (status !== 201) throw new Error(body);
  return JSON.parse(body).data;
}

async function answer(client: HttpClient, project: string, id: string): Promise<void> {
  const { status, body } = await client.call('PATCH', `/projects/${project}/notifications/${id}`, {
    responses: [{ questionId: 'q1', answer: 'red' }],
  });
  if (status !== 200) throw new Error(body);
}
