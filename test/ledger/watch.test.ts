import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/ledger/engine/store.ts';
import { type Ledger, ledgerOn, openStore } from '../../src/ledger/ledger.ts';
import type { Event } from '../../src/schema/event.ts';
import { longTest } from '../support/long-test.ts';
import { answers, ask, history, ofType } from './support/ask.ts';
import { ann } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const add = (ledger: Ledger, projectId: string, title: string) => ledger.tasks.add({ projectId, title }, ann);

/** The next `count` events of a watch, which then ends. */
async function collect(ledger: Ledger, project: string, after: number, count: number): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of ledger.events.watch(project, after)) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}
const numbers = (events: Event[]) => events.map((event) => event.number);
const oneTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** The store, but its first read takes so long that `during` happens and is announced before the rows arrive. */
function whileReading(store: Store, during: () => Promise<unknown>): Store {
  let first = true;
  const sql = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> => {
    const rows = await store.reader.sql<Row>(text, ...values);
    if (!first) return rows;
    first = false;
    const told = new Promise<void>((resolve) => {
      const stop = store.onChange(() => {
        stop();
        resolve();
      });
    });
    await during();
    await told;
    return rows;
  };
  return { ...store, reader: { ...store.reader, sql } };
}

describe('a reader of events', () => {
  eachStore((store) => {
    it('LED-11 that returns with the last number it saw gets everything after it, in order', async () => {
      const { ledger, project } = await store.start();
      for (const title of ['a', 'b', 'c', 'd']) await add(ledger, project, title);
      expect(numbers(await collect(ledger, project, 0, 4))).toEqual([1, 2, 3, 4]);
      const rest = await collect(ledger, project, 2, 2);
      expect(ofType(rest, 'task.updated').map((e) => [e.number, e.data.title])).toEqual([
        [3, 'c'],
        [4, 'd'],
      ]);
      expect(await ledger.events.list(project, 3, 1)).toEqual(rest.slice(1));
      expect(await ledger.events.list(project, 4)).toEqual([]);
    });

    longTest('LED-11 gets more than one page without a gap, though nothing new happens', async () => {
      const { ledger, project } = await store.start();
      await Promise.all(oneTo(503).map((n) => add(ledger, project, `${n}`)));
      const reader = await store.open();
      expect(numbers(await collect(reader, project, 0, 503))).toEqual(oneTo(503));
    });

    it('LED-11 misses nothing that is written just while it reads', async () => {
      const { ledger, project } = await store.start();
      const reader = await openStore(store.place);
      const [watched, waited] = [await ask(ledger, project), await ask(ledger, project, { sourceId: 's2' })];
      const answer = (id: string) => ledger.notifications.resolve(project, id, answers({ q1: 'yes' }), ann);
      const slow = (during: () => Promise<unknown>) => ledgerOn(whileReading(reader, during), {});
      const events = collect(
        slow(() => answer(watched.id)),
        project,
        2,
        1,
      );
      expect(await events).toMatchObject([{ number: 3, data: { id: watched.id } }]);
      const settled = slow(() => answer(waited.id)).notifications.wait(project, waited.id);
      expect(await settled).toMatchObject({ status: 'answered' });
      await reader.close();
    });

    it('LED-11 gets at once what another process writes', async () => {
      const { ledger, project } = await store.start();
      const writer = await store.open();
      const watching = ledger.events.watch(project);
      await add(writer, project, 'before');
      expect((await watching.next()).value).toMatchObject({ number: 1 });
      const next = watching.next();
      await add(writer, project, 'later');
      const written = performance.now();
      expect((await next).value).toMatchObject({ number: 2, data: { title: 'later' } });
      expect(performance.now() - written).toBeLessThan(1800);
      await watching.return();
    });

    it('LED-11 gets what its own process writes', async () => {
      const { ledger, project } = await store.start();
      const watching = ledger.events.watch(project);
      const next = watching.next();
      await add(ledger, project, 'mine');
      expect((await next).value).toMatchObject({ number: 1 });
      await watching.return();
    });

    it('LED-11 misses none of 300 that two processes write while it reads', async () => {
      const { ledger, project } = await store.start();
      const [one, two] = [await store.open(), await store.open()];
      const reading = collect(ledger, project, 0, 300);
      for (let round = 0; round < 15; round++) {
        await Promise.all(oneTo(10).flatMap((n) => [add(one, project, `a${n}`), add(two, project, `b${n}`)]));
      }
      const events = await reading;
      expect(numbers(events)).toEqual(oneTo(300));
      expect(events).toEqual(await history(ledger, project));
    });

    it('LED-11 gets nothing from other projects', async () => {
      const { ledger, project } = await store.start();
      const other = await store.project(ledger);
      const reading = collect(ledger, project, 0, 1);
      await add(ledger, other, 'elsewhere');
      await add(ledger, project, 'here');
      expect(await reading).toMatchObject([{ number: 1, projectId: project, data: { title: 'here' } }]);
    });

    it('LED-11 ends at its signal, whether it was waiting, reading or not started yet', async () => {
      const { ledger, project } = await store.start();
      const stop = new AbortController();
      const watching = ledger.events.watch(project, 0, stop.signal);
      const waiting = watching.next();
      await add(ledger, project, 'one');
      expect((await waiting).done).toBe(false);
      const next = watching.next();
      stop.abort();
      expect(await next).toEqual({ done: true, value: undefined });
      const late = ledger.events.watch(project, 0, stop.signal);
      expect(await late.next()).toEqual({ done: true, value: undefined });
    });

    it('LED-11 can watch beside others, each from its own number', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, 'a');
      await add(ledger, project, 'b');
      const readers = [
        collect(ledger, project, 0, 3),
        collect(ledger, project, 1, 2),
        collect(ledger, project, 2, 1),
      ];
      await add(ledger, project, 'c');
      expect((await Promise.all(readers)).map(numbers)).toEqual([[1, 2, 3], [2, 3], [3]]);
    });

    it('LED-11 that waits for an answer gets it from another process', async () => {
      const { ledger, project } = await store.start();
      const other = await store.open();
      const { id } = await ask(ledger, project);
      const waiting = ledger.notifications.wait(project, id);
      await other.notifications.resolve(project, id, answers({ q1: 'yes' }), ann);
      const written = performance.now();
      expect(await waiting).toMatchObject({ id, status: 'answered', responses: [{ answer: 'yes' }] });
      expect(performance.now() - written).toBeLessThan(1800);
    });

    it('LED-11 that waits for a settled question returns at once', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      await ledger.notifications.withdraw(project, id, 'not needed', ann);
      expect(await ledger.notifications.wait(project, id)).toMatchObject({ status: 'withdrawn' });
    });
  });
});
