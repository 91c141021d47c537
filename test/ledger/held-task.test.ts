import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { answers, askFor, eventTypes, fails, history, lastEvent, readyIds, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const worker = { worker: 'coder-1', leaseSeconds: 60 };

async function claimedTask(ledger: Ledger, project: string, id = 'T1'): Promise<number> {
  await ledger.tasks.add({ projectId: project, id, title: 'Work' }, ann);
  return (await ledger.tasks.claim(project, id, worker, coder)).fence;
}

describe('a task that asks', () => {
  eachStore((store) => {
    it('LED-6 is blocked, without a holder, and says "Open Question"', async () => {
      const { ledger, project } = await store.start();
      const fence = await claimedTask(ledger, project);
      await askFor(ledger, project, 'T1', { fence });
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({
        status: 'blocked',
        assignee: null,
        blockReason: 'Open Question',
        leaseUntil: null,
      });
      expect(await readyIds(ledger, project)).toEqual([]);
    });

    it('LED-6 has notification.added before task.updated, both by the asker', async () => {
      const { ledger, project } = await store.start();
      const fence = await claimedTask(ledger, project);
      const before = await lastEvent(ledger, project);
      const { id } = await askFor(ledger, project, 'T1', { fence });
      const events = (await history(ledger, project)).slice(before);
      expect(events).toMatchObject([
        { type: 'notification.added', by: coder, data: { notification: { id } } },
        {
          type: 'task.updated',
          by: coder,
          data: { id: 'T1', status: 'blocked', blockReason: 'Open Question' },
        },
      ]);
    });

    it.each([
      ['the question', 'open_questions', 'insert'],
      ['the task', 'tasks', 'update'],
      ['the events', 'events', 'insert'],
    ] as const)(
      'LED-6 is one transaction: if %s cannot be stored, nothing is',
      async (_, table, operation) => {
        const { ledger, project } = await store.start();
        const fence = await claimedTask(ledger, project);
        const before = {
          task: await ledger.tasks.get(project, 'T1'),
          events: await lastEvent(ledger, project),
        };
        await store.whileFailing(table, operation, () => fails(askFor(ledger, project, 'T1', { fence })));
        expect(await store.sql('select id from open_questions where project_id = ?', project)).toEqual([]);
        expect(await ledger.tasks.get(project, 'T1')).toEqual(before.task);
        expect(await lastEvent(ledger, project)).toBe(before.events);
      },
    );

    it('LED-6 under an old fence is refused, and no question is stored', async () => {
      const { ledger, project } = await store.start();
      const fence = await claimedTask(ledger, project);
      await ledger.tasks.release(project, 'T1', fence, coder);
      await ledger.tasks.claim(project, 'T1', { ...worker, worker: 'coder-2' }, coder);
      const before = await lastEvent(ledger, project);
      const error = await refusal(askFor(ledger, project, 'T1', { fence }));
      expect(error).toMatchObject({ code: 'stale', message: expect.stringContaining('Stop working on it') });
      expect(await store.sql('select id from open_questions where project_id = ?', project)).toEqual([]);
      expect(await lastEvent(ledger, project)).toBe(before);
      expect((await ledger.tasks.get(project, 'T1')).assignee).toBe('coder-2');
    });

    it('LED-6 under an old fence is refused even if its question is already open', async () => {
      const { ledger, project } = await store.start();
      const fence = await claimedTask(ledger, project);
      const { id } = await askFor(ledger, project, 'T1', { fence });
      await ledger.notifications.withdraw(project, id, 'nobody knows', ann);
      await ledger.tasks.claim(project, 'T1', worker, coder);
      await askFor(ledger, project, 'T1');
      expect(await refusal(askFor(ledger, project, 'T1', { fence }))).toMatchObject({ code: 'stale' });
    });

    it('LED-6 a question is not a failure: asking, answering and asking again leaves the task open, any number of times', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      for (let round = 0; round < 12; round++) {
        const { fence } = await ledger.tasks.claim(project, 'T1', worker, coder);
        const { id } = await askFor(ledger, project, 'T1', { fence, questions: [`Round ${round}?`] });
        await ledger.notifications.resolve(
          project,
          id,
          { responses: [{ questionId: 'q1', answer: 'go' }] },
          ann,
        );
        expect(await readyIds(ledger, project)).toEqual(['T1']);
      }
      const columns = Object.keys(await ledger.tasks.get(project, 'T1'));
      expect(columns.filter((name) => /retr|attempt|fail/i.test(name))).toEqual([]);
    });

    it('LED-6 may ask again before the first answer: it waits for both', async () => {
      const { ledger, project } = await store.start();
      const fence = await claimedTask(ledger, project);
      await askFor(ledger, project, 'T1', { fence });
      await askFor(ledger, project, 'T1', { fence, questions: ['And which cache?'] });
      expect(await ledger.notifications.count(['open'], project)).toBe(2);
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({ blockReason: 'Open Question' });
    });

    it('LED-6 and was blocked for another reason keeps that reason', async () => {
      const { ledger, project } = await store.start();
      await claimedTask(ledger, project);
      await ledger.tasks.block(project, 'T1', 'Waiting for legal', ann);
      await askFor(ledger, project, 'T1');
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({ blockReason: 'Waiting for legal' });
    });

    it('LED-6 a question of a task that is unknown is asked and blocks nothing', async () => {
      const { ledger, project } = await store.start();
      await askFor(ledger, project, 'T9');
      expect(await eventTypes(ledger, project)).toEqual(['notification.added']);
    });

    it('LED-6 a task that became known after its question is held when it asks the same again', async () => {
      const { ledger, project } = await store.start();
      const early = await askFor(ledger, project, 'T1');
      const fence = await claimedTask(ledger, project);
      const again = await askFor(ledger, project, 'T1', { fence });
      expect(again.id).toBe(early.id);
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({
        status: 'blocked',
        blockReason: 'Open Question',
      });
    });

    it.each(['eval', 'prd', 'plan', 'gap', 'gate'] as const)(
      'LED-6 a question of source %s holds no task, even one of the same name',
      async (source) => {
        const { ledger, project } = await store.start();
        await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
        await askFor(ledger, project, 'T1', { source });
        expect(await readyIds(ledger, project)).toEqual(['T1']);
      },
    );

    it('LED-6 LED-7 is kept for a worker whose agent waits alive: the answer gives it back to exactly that one', async () => {
      const { ledger, project } = await store.start();
      const fence = await claimedTask(ledger, project);
      const { id } = await askFor(ledger, project, 'T1', { fence, keep: true });
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({ status: 'blocked', assignee: null });
      await ledger.tasks.heartbeat(project, 'T1', fence, 60, coder);
      await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann);
      expect(await readyIds(ledger, project)).toEqual([]);
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({
        status: 'in_progress',
        assignee: 'coder-1',
        blockReason: null,
        fence,
      });
      await ledger.tasks.close(project, 'T1', coder, fence);
    });

    it('LED-7 RUN-4 is not kept for a worker that gave no sign of life, and its old fence writes nothing', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      const short = { worker: 'coder-1', leaseSeconds: 0.001 };
      const { fence } = await ledger.tasks.claim(project, 'T1', short, coder);
      const { id } = await askFor(ledger, project, 'T1', { fence, keep: true });
      await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann);
      const taken = await ledger.tasks.claimNext(project, { worker: 'coder-2', leaseSeconds: 60 }, coder);
      expect(taken).toMatchObject({ id: 'T1', assignee: 'coder-2' });
      expect(await refusal(ledger.tasks.heartbeat(project, 'T1', fence, 60, coder))).toMatchObject({
        code: 'stale',
      });
    });

    it('LED-6 is released by a worker that no longer has a process, and stays blocked', async () => {
      const { ledger, project } = await store.start();
      const fence = await claimedTask(ledger, project);
      const { id } = await askFor(ledger, project, 'T1', { fence, keep: true });
      expect(await ledger.tasks.release(project, 'T1', fence, coder)).toMatchObject({ status: 'blocked' });
      await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann);
      expect(await readyIds(ledger, project)).toEqual(['T1']);
    });
  });
});
