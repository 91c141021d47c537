import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { answers, askFor, eventTypes, fails, history, lastEvent, readyIds } from './support/ask.ts';
import { ann, bob, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

/** A task in progress that asked; returns the notification. */
async function waiting(ledger: Ledger, project: string, text = 'Which database?') {
  await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
  const { fence } = await ledger.tasks.claim(project, 'T1', { worker: 'coder-1', leaseSeconds: 60 }, coder);
  return askFor(ledger, project, 'T1', { fence, questions: [{ id: 'q1', text }] });
}
const task = async (ledger: Ledger, project: string) => {
  const { status, blockReason, assignee } = await ledger.tasks.get(project, 'T1');
  return { status, blockReason, assignee };
};
const open = { status: 'open', blockReason: null, assignee: null };
const held = { status: 'blocked', blockReason: 'Open Question', assignee: null };

describe('the answer to a task', () => {
  eachStore((store) => {
    it('LED-7 is in its chat, resolves the question, and makes the task ready again', async () => {
      const { ledger, project } = await store.start();
      const { id } = await waiting(ledger, project);
      const responses = [{ questionId: 'q1', answer: 'SQLite', note: 'one file is enough' }];
      await ledger.notifications.resolve(project, id, { responses }, bob);
      expect(await ledger.tasks.chat(project, 'T1')).toMatchObject([
        { taskId: 'T1', by: bob, notificationId: id, text: 'Which database?\nSQLite\none file is enough' },
      ]);
      expect(await ledger.notifications.get(project, id)).toMatchObject({ status: 'answered' });
      expect(await task(ledger, project)).toEqual(open);
      expect(await readyIds(ledger, project)).toEqual(['T1']);
    });

    it('LED-7 has notification.resolved before task.updated, both by the person who answered', async () => {
      const { ledger, project } = await store.start();
      const { id } = await waiting(ledger, project);
      const before = await lastEvent(ledger, project);
      await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), bob);
      expect((await history(ledger, project)).slice(before)).toMatchObject([
        { type: 'notification.resolved', by: bob, data: { id, responses: [{ answer: 'SQLite' }] } },
        { type: 'task.updated', by: bob, data: { id: 'T1', status: 'open', blockReason: null } },
      ]);
    });

    it.each([
      ['the answer', 'open_questions', 'update'],
      ['the chat', 'task_chat', 'insert'],
      ['the decision', 'decisions', 'insert'],
      ['the task', 'tasks', 'update'],
      ['the events', 'events', 'insert'],
    ] as const)(
      'LED-7 is one transaction: if %s cannot be stored, nothing is',
      async (_, table, operation) => {
        const { ledger, project } = await store.start();
        const asked = await waiting(ledger, project);
        const before = await lastEvent(ledger, project);
        const answer = () => ledger.notifications.resolve(project, asked.id, answers({ q1: 'SQLite' }), bob);
        await store.whileFailing(table, operation, () => fails(answer()));
        expect(await ledger.notifications.get(project, asked.id)).toEqual(asked);
        expect(await ledger.tasks.chat(project, 'T1')).toEqual([]);
        expect(await ledger.decisions.list(project)).toEqual([]);
        expect(await task(ledger, project)).toEqual(held);
        expect(await lastEvent(ledger, project)).toBe(before);
        await answer();
        expect(await task(ledger, project)).toEqual(open);
      },
    );

    it('LED-7 releases it only when the last of several open notifications is resolved', async () => {
      const { ledger, project } = await store.start();
      const one = await waiting(ledger, project);
      const two = await askFor(ledger, project, 'T1', { questions: ['Which cache?'] });
      await ledger.notifications.resolve(project, two.id, answers({ q1: 'none' }), ann);
      expect(await task(ledger, project)).toEqual(held);
      await ledger.notifications.resolve(project, one.id, answers({ q1: 'SQLite' }), ann);
      expect(await task(ledger, project)).toEqual(open);
    });

    it('LED-7 a part of the answers goes into the chat and does not release it', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      const { id } = await askFor(ledger, project, 'T1', { questions: ['A?', 'B?'] });
      await ledger.notifications.resolve(project, id, answers({ q2: 'two' }), ann);
      expect((await ledger.tasks.chat(project, 'T1')).map((m) => m.text)).toEqual(['B?\ntwo']);
      expect(await task(ledger, project)).toEqual(held);
    });

    it('LED-7 does not release one that is blocked for another reason', async () => {
      const { ledger, project } = await store.start();
      const { id } = await waiting(ledger, project);
      await ledger.tasks.block(project, 'T1', 'Coding Failure', ann);
      await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann);
      expect(await task(ledger, project)).toMatchObject({ status: 'blocked', blockReason: 'Coding Failure' });
    });

    it('LED-7 given again does not lift a newer block', async () => {
      const { ledger, project } = await store.start();
      const { id } = await waiting(ledger, project);
      await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann);
      const newer = await askFor(ledger, project, 'T1', { questions: ['Which cache?'] });
      const again = await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann);
      expect(again.repeat).toBe(true);
      expect(await task(ledger, project)).toEqual(held);
      expect(await ledger.tasks.chat(project, 'T1')).toHaveLength(1);
      expect((await ledger.notifications.get(project, newer.id)).status).toBe('open');
    });

    it('LED-7 to a task that is unknown, in progress or open is accepted and leaves it as it is', async () => {
      const { ledger, project } = await store.start();
      const early = await askFor(ledger, project, 'T1');
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      const { fence } = await ledger.tasks.claim(project, 'T1', { worker: 'w', leaseSeconds: 60 }, coder);
      await ledger.notifications.resolve(project, early.id, answers({ q1: 'x' }), ann);
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({
        status: 'in_progress',
        assignee: 'w',
        fence,
      });
      const nobody = await askFor(ledger, project, 'T9');
      await ledger.notifications.resolve(project, nobody.id, answers({ q1: 'x' }), ann);
      expect((await eventTypes(ledger, project)).at(-1)).toBe('notification.resolved');
    });

    it('LED-7 of another source with the same name releases nothing', async () => {
      const { ledger, project } = await store.start();
      await waiting(ledger, project);
      const other = await askFor(ledger, project, 'T1', { source: 'eval' });
      await ledger.notifications.resolve(project, other.id, answers({ q1: 'x' }), ann);
      expect(await task(ledger, project)).toEqual(held);
      expect(await ledger.tasks.chat(project, 'T1')).toEqual([]);
    });

    it.each([
      [
        'skips',
        (l: Ledger, p: string, id: string) =>
          l.notifications.resolve(p, id, { responses: [{ questionId: 'q1', skipped: true }] }, ann),
        ['Which database?\n(skipped)'],
      ],
      [
        'declines',
        (l: Ledger, p: string, id: string) =>
          l.notifications.resolve(p, id, { dismissed: true, reason: 'find out' }, ann),
        ['Which database?\n(dismissed: find out)'],
      ],
      [
        'withdraws',
        (l: Ledger, p: string, id: string) => l.notifications.withdraw(p, id, 'not needed', ann),
        [],
      ],
    ])(
      'LED-7 who %s it also releases the task, and the chat says what became of it',
      async (_, settle, chat) => {
        const { ledger, project } = await store.start();
        const { id } = await waiting(ledger, project);
        await settle(ledger, project, id);
        expect(await task(ledger, project)).toEqual(open);
        expect((await ledger.tasks.chat(project, 'T1')).map((m) => m.text)).toEqual(chat);
      },
    );

    it('LED-7 that never came keeps it blocked with another reason, if the policy is to fail', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      const { id } = await askFor(ledger, project, 'T1', { policy: { kind: 'fail', after: 0.001 } }, ann);
      expect(await ledger.notifications.wait(project, id)).toMatchObject({ status: 'expired' });
      expect(await task(ledger, project)).toMatchObject({
        status: 'blocked',
        blockReason: 'Question expired',
      });
      expect(await readyIds(ledger, project)).toEqual([]);
    });

    it('LED-7 delivering an old, expired question does not affect a newer one', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      const old = await askFor(ledger, project, 'T1', { policy: { kind: 'fail', after: 0.001 } }, ann);
      await ledger.notifications.wait(project, old.id);
      await ledger.tasks.unblock(project, 'T1', ann);
      await askFor(ledger, project, 'T1', { questions: ['Which cache?'] });
      await ledger.notifications.markDelivered(project, old.id, coder);
      expect(await task(ledger, project)).toEqual(held);
    });

    it('LED-7 a question of another source that expires leaves a task of that name as it is', async () => {
      const { ledger, project } = await store.start();
      await waiting(ledger, project);
      const policy = { kind: 'fail' as const, after: 0.001 };
      const other = await askFor(ledger, project, 'T1', { source: 'eval', policy }, ann);
      expect(await ledger.notifications.wait(project, other.id)).toMatchObject({ status: 'expired' });
      expect(await task(ledger, project)).toEqual(held);
    });

    it('LED-7 a closed task is not touched', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      await ledger.tasks.close(project, 'T1', ann);
      const { id } = await askFor(ledger, project, 'T1');
      expect(await task(ledger, project)).toMatchObject({ status: 'closed' });
      await ledger.notifications.resolve(project, id, answers({ q1: 'x' }), ann);
      expect(await task(ledger, project)).toEqual({ status: 'closed', blockReason: null, assignee: null });
    });
  });
});
