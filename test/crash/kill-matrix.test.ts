import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import { bundledProgram, type Program } from '../support/bundled-program.ts';
import { freshDatabase, postgresMissing } from '../support/fresh-database.ts';
import { contradictions } from './support/consistency.ts';
import { startPerson } from './support/person.ts';
import { ended, start, stopAll, twoAtATime } from './support/processes.ts';
import { type Asker, look, prepare, recover } from './support/roles.ts';
import { answerTo, type Content, type Store, tasksOf, timesOn } from './support/words.ts';

/**
 * Where a process dies, and what must be in the ledger then: `handed` means that the asker has the answer, but
 * it is not marked as delivered.
 */
type Left = 'nothing' | 'open' | 'answered' | 'handed' | 'delivered' | 'lost';

const asking: [point: string, left: Left][] = [
  ['create.begin', 'nothing'],
  ['create.inserted', 'nothing'],
  ['create.held', 'nothing'],
  ['write.before-commit', 'nothing'],
  ['write.after-commit', 'answered'], // the person answers while nobody waits
  ['deliver.before', 'answered'],
  ['deliver.after', 'handed'],
  ['answer.begin', 'handed'], // these belong to the transaction that marks it as delivered
  ['answer.stored', 'handed'],
  ['answer.resolved', 'handed'],
  ['answer.unblocked', 'handed'],
  ['write.before-commit#2', 'handed'],
  ['write.after-commit#2', 'delivered'],
];
const answering: [point: string, left: Left][] = [
  ['answer.begin', 'open'],
  ['answer.stored', 'open'],
  ['answer.resolved', 'open'],
  ['answer.unblocked', 'open'],
  ['write.before-commit', 'open'],
  ['write.after-commit', 'answered'],
];
const rounds = [
  ...asking.map(([point, left]) => ({ role: 'ask', point, left })),
  ...answering.map(([point, left]) => ({ role: 'answer', point, left })),
].map((round) => ({ ...round, project: `${round.role}-${round.point.replace('#', ':')}` }));

let program: Program;
const fired = new Map<string, Record<string, number>>();
beforeAll(async () => {
  program = await bundledProgram(join(import.meta.dirname, 'support/program.ts'));
});
afterAll(() => {
  process.stdout.write(table());
});

it('LED-3 every crash point of the ledger is in the kill matrix', () => {
  const points = sources(join(import.meta.dirname, '../../src/ledger')).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/crashPoint\('(.+?)'\)/g)].map(([, name]) => name),
  );
  expect(new Set(points)).toEqual(new Set(rounds.map(({ point }) => point.replace(/#.*/, ''))));
});

describe.each([
  ['SQLite', async (dir: string) => join(dir, 'ledger.db')],
  ['PostgreSQL', freshDatabase],
] as const)('killed with SIGKILL at each point, on %s', (name, place) => {
  it(`LED-3 LED-4 LED-6 LED-7 the asking or the answering process dies ${timesOn(name)} times at every point: nothing is half done, lost, asked or answered twice`, async ({
    skip,
  }) => {
    if (name === 'PostgreSQL' && postgresMissing) skip(postgresMissing);
    const dir = mkdtempSync(join(tmpdir(), 'fermata-crash-'));
    try {
      await matrix(name, await place(dir), dir);
    } finally {
      await stopAll();
      rmSync(dir, { recursive: true, force: true });
    }
    for (const { role, point } of rounds) {
      expect(fired.get(`${role} ${point}`)?.[name], `${role} ${point}`).toBeGreaterThanOrEqual(timesOn(name));
    }
  }, 300_000);
});

/** Only the processes that die are processes: the others are this one. */
async function matrix(store: Store, place: string, dir: string): Promise<void> {
  const ledger = await openLedger(place, {});
  try {
    await rehearse(ledger, place, dir);
    for (const { project } of rounds) await prepare(ledger, project, tasksOf(project, store));
    await twoAtATime(rounds, (round) => killAndRecover(store, place, { ...round, dir, ledger }));
  } finally {
    await ledger.close();
  }
}

async function rehearse(ledger: Ledger, place: string, dir: string): Promise<void> {
  const project = 'answer-rehearsal';
  const task = `${project}-1`;
  await prepare(ledger, project, [task]);
  await program.rehearse('answer', place, dir, project, task);
  await program.rehearse('ask', place, dir, project, task);
}

async function killAndRecover(
  store: Store,
  place: string,
  { role, point, left, ...asker }: (typeof rounds)[number] & Asker,
): Promise<void> {
  const { project, dir } = asker;
  const tasks = tasksOf(project, store);
  const person = role === 'ask' ? startPerson(asker) : undefined;
  for (const task of tasks) {
    const child = start(program.file, [role, place, dir, project, task], { crashAt: point });
    if ((await ended(child)).signal === 'SIGKILL') count(store, `${role} ${point}`);
  }
  if (left !== 'nothing') await person?.hasAnswered(tasks);
  // What was open before the kills knows more than a process that comes afterwards.
  const opened = await openLedger(place, {});
  const content = await look(opened, project);
  expect(contradictions(content), `${project}, after the kills`).toEqual([]);
  expect(states(content, tasks, dir), project).toEqual(tasks.map(() => left));
  const after = await recover({ ...asker, ledger: opened }, tasks);
  await opened.close();
  expect(contradictions(after.content), `${project}, after the recovery`).toEqual([]);
  expect(states(after.content, tasks, dir), project).toEqual(tasks.map(() => 'delivered'));
  for (const { task, code, message } of after.refused) {
    expect([code, message]).toEqual(['conflict', expect.stringContaining('by ann (command)')]);
    expect(message).toContain(answerTo(task));
  }
  await person?.leave();
}

const states = (content: Content, tasks: string[], dir: string): Left[] =>
  tasks.map((task) => {
    const notification = content.notifications.find(({ sourceId }) => sourceId === task);
    const received = existsSync(join(dir, task))
      ? readFileSync(join(dir, task), 'utf8').trim().split('\n')
      : [];
    expect(new Set(received), `what the asker ${task} received`).toEqual(
      new Set(received.map(() => answerTo(task))),
    );
    if (!notification) return 'nothing';
    if (notification.status === 'answered') return received.length > 0 ? 'handed' : 'answered';
    if (notification.status === 'delivered') return received.length > 0 ? 'delivered' : 'lost';
    return notification.status === 'open' ? 'open' : 'lost';
  });

function count(store: string, point: string): void {
  const counts = fired.get(point) ?? {};
  fired.set(point, { ...counts, [store]: (counts[store] ?? 0) + 1 });
}

function table(): string {
  const rows = [...fired].map(([point, counts]) => {
    const cells = ['SQLite', 'PostgreSQL'].map((store) => String(counts[store] ?? 0).padStart(10));
    return `${point.padEnd(32)}${cells.join('  ')}`;
  });
  const head = `${'how often each point fired'.padEnd(32)}    SQLite  PostgreSQL`;
  return ['', head, ...rows, ''].join('\n');
}

function sources(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(dir, name));
}
