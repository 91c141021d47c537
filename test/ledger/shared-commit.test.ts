import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { answers, ask, history, ofType, readyIds } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const add = (ledger: Ledger, projectId: string, id: string, dependsOn: string[] = []) =>
  ledger.tasks.add({ projectId, id, title: id, dependsOn }, ann);
const oneTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

describe('writes that share a commit', () => {
  eachStore((store) => {
    it('LED-11 200 writers on two projects: the events of each are numbered without a gap', async () => {
      const { ledger, project } = await store.start();
      const other = await store.open();
      const second = await store.project(ledger);
      await Promise.all(
        oneTo(100).flatMap((n) => {
          const writer = n % 2 ? ledger : other;
          return [add(writer, project, `a${n}`), add(writer, second, `b${n}`)];
        }),
      );
      for (const id of [project, second]) {
        expect((await history(ledger, id)).map((e) => e.number)).toEqual(oneTo(100));
        expect((await ledger.projects.get(id)).lastEvent).toBe(100);
      }
    });

    it('LED-11 writes that fail leave no gap, no row and no event, and the others in the commit survive', async () => {
      const { ledger, project } = await store.start();
      const other = await store.open();
      await add(ledger, project, 'taken');
      const results = await Promise.allSettled(
        oneTo(200).map((n) => {
          const writer = n % 2 ? ledger : other;
          if (n % 4 === 0) return add(writer, project, 'taken');
          if (n % 4 === 1) return add(writer, project, `lost${n}`, ['taken', 'nowhere']);
          return add(writer, project, `kept${n}`, ['taken']);
        }),
      );
      const codes = results.map((r) => (r.status === 'rejected' ? r.reason.code : 'ok'));
      expect(codes).toEqual(oneTo(200).map((n) => ['conflict', 'not_found', 'ok', 'ok'][n % 4]));
      const events = await history(ledger, project);
      expect(events.map((e) => e.number)).toEqual(oneTo(101));
      const tasks = await ledger.tasks.list(project);
      expect(tasks).toHaveLength(101);
      expect(tasks.filter((t) => t.id.startsWith('lost'))).toEqual([]);
      expect(new Set(ofType(events, 'task.updated').map((e) => e.data.id))).toEqual(
        new Set(tasks.map((t) => t.id)),
      );
      expect(await readyIds(ledger, project)).toEqual(['taken']);
    });

    it('LED-11 work outside the ledger runs once, whatever else in the commit fails', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, 'taken');
      const runs: number[] = [];
      const work = (n: number) => ledger.projects.exclusively(project, async () => runs.push(n));
      const results = await Promise.allSettled(
        oneTo(9).flatMap((n) => [work(n), add(ledger, project, `kept${n}`), add(ledger, project, 'taken')]),
      );
      expect(runs).toEqual(oneTo(9));
      expect(results.map(({ status }) => status)).toEqual(
        oneTo(9).flatMap(() => ['fulfilled', 'fulfilled', 'rejected']),
      );
      expect((await history(ledger, project)).map((e) => e.number)).toEqual(oneTo(10));
    });

    it('LED-4 each caller gets its own result: its answer, its repeat, its conflict', async () => {
      const { ledger, project } = await store.start();
      const asked = await Promise.all(
        oneTo(20).map((n) => ask(ledger, project, { sourceId: `s${n}`, questions: [`Question ${n}?`] })),
      );
      expect(new Set(asked.map((n) => n.id)).size).toBe(20);
      const results = await Promise.all(
        asked.map(async ({ id }, n) => {
          const say = (answer: string) =>
            ledger.notifications.resolve(project, id, answers({ q1: answer }), ann);
          const [first, same, different] = await Promise.allSettled([say(`${n}`), say(`${n}`), say('other')]);
          return [first, same, different].map((r) =>
            r?.status === 'rejected' ? r.reason.code : r?.value.repeat,
          );
        }),
      );
      expect(results).toEqual(asked.map(() => [false, true, 'conflict']));
      for (const [n, { id }] of asked.entries()) {
        expect((await ledger.notifications.get(project, id)).responses).toMatchObject([{ answer: `${n}` }]);
      }
    });

    it('LED-3 if the shared commit fails, each caller gets the error, and nothing is stored', async () => {
      const { ledger, project } = await store.start();
      const attempts = () => Promise.allSettled(oneTo(10).map((n) => add(ledger, project, `t${n}`)));
      const results = await store.whileFailing('events', 'insert', attempts);
      expect(results.map((r) => r.status)).toEqual(oneTo(10).map(() => 'rejected'));
      expect(await ledger.tasks.list(project)).toEqual([]);
      expect((await attempts()).map((r) => r.status)).toEqual(oneTo(10).map(() => 'fulfilled'));
      expect((await history(ledger, project)).map((e) => e.number)).toEqual(oneTo(10));
    });

    it('LED-3 writes requested before the ledger was closed are still written', async () => {
      const { ledger, project } = await store.start();
      const writes = oneTo(250).map((n) => add(ledger, project, `t${n}`));
      const followUp = writes[0]?.then(() => add(ledger, project, 'after the first'));
      await Promise.all([ledger.close(), ...writes, followUp?.catch(() => undefined)]);
      const later = await store.open();
      expect((await later.tasks.list(project)).length).toBeGreaterThanOrEqual(250);
    });

    it('LED-3 closing twice is closing once', async () => {
      const { ledger } = await store.start();
      await Promise.all([ledger.close(), ledger.close()]);
      await ledger.close();
    });

    it('LED-1 asking the same thing many times at once stores it once', async () => {
      const { ledger, project } = await store.start();
      const other = await store.open();
      const input = { projectId: project, source: 'plan' as const, sourceId: 'p1', questions: ['Same?'] };
      const created = await Promise.all(
        oneTo(20).map((n) => (n % 2 ? ledger : other).notifications.create(input, coder)),
      );
      expect(new Set(created.map((c) => c.notification.id)).size).toBe(1);
      expect(created.filter((c) => !c.existing)).toHaveLength(1);
      expect(await history(ledger, project)).toHaveLength(1);
    });
  });
});
