import { describe, expect, it, vi } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { TaskInput } from '../../src/schema/task.ts';
import { answers, askFor, fails, history, lastEvent, ofType, readyIds, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const add = (ledger: Ledger, projectId: string, id: string, given: Partial<TaskInput> = {}) =>
  ledger.tasks.add({ projectId, id, title: `Task ${id}`, ...given }, ann);
const worker = { worker: 'w', leaseSeconds: 60 };

describe('what is ready', () => {
  eachStore((store) => {
    it('LED-8 is ordered by priority, then by the plan', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, 'z', { priority: 2 });
      await add(ledger, project, 'y', { priority: 0 });
      await add(ledger, project, 'x', { priority: 4 });
      await add(ledger, project, 'b', { priority: 0 });
      await add(ledger, project, 'a');
      expect(await readyIds(ledger, project)).toEqual(['y', 'b', 'z', 'a', 'x']);
      expect((await ledger.tasks.ready(project, 2)).map((t) => t.id)).toEqual(['y', 'b']);
    });

    it('LED-8 includes tasks whose lease has expired, because they can be claimed', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['gone', 'held', 'waits']) await add(ledger, project, id);
      await add(ledger, project, 'urgent', { priority: 0 });
      await ledger.tasks.claim(project, 'gone', { worker: 'w', leaseSeconds: 0.001 }, coder);
      await ledger.tasks.claim(project, 'waits', { worker: 'w', leaseSeconds: 0.001 }, coder);
      await ledger.tasks.claim(project, 'held', worker, coder);
      await ledger.tasks.depend(project, 'waits', ['held'], ann);
      await expect.poll(() => readyIds(ledger, project)).toEqual(['urgent', 'gone']);
      expect((await ledger.tasks.ready(project, 1)).map(({ id }) => id)).toEqual(['urgent']);
      expect((await ledger.tasks.ready(project, 9, 'go')).map(({ id }) => id)).toEqual(['gone']);
      await ledger.tasks.claim(project, 'gone', worker, ann);
      expect(await readyIds(ledger, project)).toEqual(['urgent']);
    });

    it('LED-8 judges a lease by the clock of the store, not of the machine that looks', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, 'held');
      await ledger.tasks.claim(project, 'held', worker, coder);
      const ahead = Date.now() + 86_400_000;
      const clock = vi.spyOn(Date, 'now').mockReturnValue(ahead);
      const ready = await readyIds(ledger, project).finally(() => clock.mockRestore());
      expect(ready).toEqual([]);
    });

    it('LED-8 has all dependencies closed', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['a', 'b']) await add(ledger, project, id);
      await add(ledger, project, 'c', { dependsOn: ['a', 'b', 'a'] });
      expect(await readyIds(ledger, project)).toEqual(['a', 'b']);
      await ledger.tasks.close(project, 'a', ann);
      expect(await readyIds(ledger, project)).toEqual(['b']);
      await ledger.tasks.close(project, 'b', ann);
      expect(await readyIds(ledger, project)).toEqual(['c']);
      expect((await ledger.tasks.get(project, 'c')).dependsOn).toEqual(['a', 'b']);
    });

    it('LED-8 a dependency on a closed task blocks nothing', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, 'a');
      await ledger.tasks.close(project, 'a', ann);
      await add(ledger, project, 'b', { dependsOn: ['a'] });
      expect(await readyIds(ledger, project)).toEqual(['b']);
    });

    it('LED-8 reopening a dependency blocks the tasks that wait for it, and closing it again frees them', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, 'a');
      await add(ledger, project, 'b', { dependsOn: ['a'] });
      await ledger.tasks.close(project, 'a', ann);
      await ledger.tasks.close(project, 'a', ann); // again: counts once
      await ledger.tasks.reopen(project, 'a', ann);
      expect(await readyIds(ledger, project)).toEqual(['a']);
      await ledger.tasks.close(project, 'a', ann);
      expect(await readyIds(ledger, project)).toEqual(['b']);
    });

    it('LED-8 is neither blocked, claimed nor closed', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['a', 'b', 'c', 'd']) await add(ledger, project, id);
      await ledger.tasks.block(project, 'a', 'Waiting for legal', ann);
      await ledger.tasks.claim(project, 'b', worker, coder);
      await ledger.tasks.close(project, 'c', ann);
      expect(await readyIds(ledger, project)).toEqual(['d']);
    });

    it('LED-8 is only of this project', async () => {
      const { ledger, project } = await store.start();
      const other = await store.project(ledger);
      await add(ledger, other, 'a');
      await add(ledger, project, 'a');
      await ledger.tasks.close(other, 'a', ann);
      expect(await readyIds(ledger, project)).toEqual(['a']);
      expect(await readyIds(ledger, other)).toEqual([]);
    });

    it('LED-8 only the asking task waits, and the tasks that depend on it', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['a', 'b']) await add(ledger, project, id);
      await add(ledger, project, 'c', { dependsOn: ['a'] });
      const { id } = await askFor(ledger, project, 'a');
      expect(await readyIds(ledger, project)).toEqual(['b']);
      await ledger.notifications.resolve(project, id, answers({ q1: 'go' }), ann);
      expect(await readyIds(ledger, project)).toEqual(['a', 'b']);
    });

    it('LED-8 closing is one transaction: if the tasks that depend on it cannot be updated, it stays open', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, 'a');
      await add(ledger, project, 'b', { dependsOn: ['a'] });
      const before = await lastEvent(ledger, project);
      await store.whileFailing('events', 'insert', () => fails(ledger.tasks.close(project, 'a', ann)));
      expect(await readyIds(ledger, project)).toEqual(['a']);
      expect(await lastEvent(ledger, project)).toBe(before);
      expect(
        await store.sql('select unfinished from tasks where project_id = ? and id = ?', project, 'b'),
      ).toEqual([{ unfinished: 1 }]);
    });

    it('LED-8 changes of a task name it and its new state in an event', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, 'a');
      await ledger.tasks.block(project, 'a', 'Waiting for legal', ann);
      await ledger.tasks.unblock(project, 'a', ann);
      await ledger.tasks.close(project, 'a', ann);
      await ledger.tasks.reopen(project, 'a', ann);
      expect(
        ofType(await history(ledger, project), 'task.updated').map(({ type, data }) => [
          type,
          data.id,
          data.status,
        ]),
      ).toEqual(['open', 'blocked', 'open', 'closed', 'open'].map((status) => ['task.updated', 'a', status]));
    });

    it('LED-8 a task without an id gets a number, and never one that is taken', async () => {
      const { ledger, project } = await store.start();
      await add(ledger, project, 't2');
      const made = [];
      for (const title of ['One', 'Two'])
        made.push((await ledger.tasks.add({ projectId: project, title }, ann)).id);
      expect(made).toEqual(['t3', 't4']);
      expect(await refusal(add(ledger, project, 't2'))).toMatchObject({
        code: 'conflict',
        message: 'Task t2 already exists. Choose another id.',
      });
      expect(await readyIds(ledger, project)).toEqual(['t2', 't3', 't4']);
    });

    it('LED-8 all tasks are listed in the order of the plan, page by page, with what they wait for', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['c', 'b', 'a']) await add(ledger, project, id);
      await ledger.tasks.depend(project, 'c', ['a'], ann);
      const page = await ledger.tasks.list(project, { limit: 2 });
      expect(page.map((t) => [t.id, t.dependsOn])).toEqual([
        ['c', ['a']],
        ['b', []],
      ]);
      const rest = await ledger.tasks.list(project, { after: page[1]?.position });
      expect(rest.map((t) => t.id)).toEqual(['a']);
      await ledger.tasks.close(project, 'b', ann);
      expect((await ledger.tasks.list(project, { status: 'closed' })).map((t) => t.id)).toEqual(['b']);
    });

    it('LED-8 RUN-1 can be asked for one plan only: tasks whose id begins with its name', async () => {
      const { ledger, project } = await store.start();
      for (const id of ['shop/1', 'shopping/1', 'shop/2'])
        await ledger.tasks.add({ projectId: project, id, title: id }, ann);
      expect((await ledger.tasks.ready(project, 10, 'shop/')).map((task) => task.id)).toEqual([
        'shop/1',
        'shop/2',
      ]);
      const claim = { worker: 'w', leaseSeconds: 60 };
      const taken = await ledger.tasks.claimNext(project, claim, ann, { within: 'shopping/' });
      expect(taken?.id).toBe('shopping/1');
      expect(await ledger.tasks.claimNext(project, claim, ann, { within: 'shopping/' })).toBeUndefined();
    });
  });
});
