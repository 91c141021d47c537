import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { By } from '../../src/schema/actor.ts';
import { Status } from '../../src/schema/notification.ts';
import { answers, ask, fails, history, lastEvent, refusal } from './support/ask.ts';
import { ann, bob, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

type Move = (ledger: Ledger, project: string, id: string) => Promise<unknown>;

const moves: Record<string, Move> = {
  answer: (l, p, id) => l.notifications.resolve(p, id, answers({ q1: 'PostgreSQL' }), bob),
  skip: (l, p, id) =>
    l.notifications.resolve(p, id, { responses: [{ questionId: 'q1', skipped: true }] }, bob),
  dismiss: (l, p, id) => l.notifications.resolve(p, id, { dismissed: true, reason: 'not now' }, bob),
  withdraw: (l, p, id) => l.notifications.withdraw(p, id, 'the plan changed', ann),
  supersede: async (l, p, id) => {
    const other = await ask(l, p, { sourceId: 'plan-2', questions: ['Which one?'] });
    return l.notifications.supersede(p, id, other.id, 'asked better', coder);
  },
  deliver: (l, p, id) => l.notifications.markDelivered(p, id, coder),
};

/** How to bring a new notification into each state. */
const into: Record<Status, (ledger: Ledger, project: string) => Promise<string>> = {
  open: async (l, p) => (await ask(l, p)).id,
  answered: by('answer'),
  skipped: by('skip'),
  declined: by('dismiss'),
  withdrawn: by('withdraw'),
  superseded: by('supersede'),
  expired: async (l, p) => {
    const { id } = await ask(l, p, { policy: { kind: 'fail', after: 0.001 } }, ann);
    await l.notifications.wait(p, id);
    return id;
  },
  recorded: async (l, p) => (await ask(l, p, { notice: true })).id,
  delivered: async (l, p) => {
    const id = await into.answered(l, p);
    await moves.deliver?.(l, p, id);
    return id;
  },
};

function by(move: string) {
  return async (ledger: Ledger, project: string) => {
    const { id } = await ask(ledger, project);
    await moves[move]?.(ledger, project, id);
    return id;
  };
}

/** What each move does in each state: a new state, nothing (a repeat), or a refusal. */
const expected: Record<Status, Record<string, string>> = {
  open: {
    answer: 'answered',
    skip: 'skipped',
    dismiss: 'declined',
    withdraw: 'withdrawn',
    supersede: 'superseded',
    deliver: 'invalid',
  },
  answered: {
    answer: 'repeat',
    skip: 'conflict',
    dismiss: 'conflict',
    withdraw: 'conflict',
    supersede: 'conflict',
    deliver: 'delivered',
  },
  skipped: {
    answer: 'conflict',
    skip: 'repeat',
    dismiss: 'conflict',
    withdraw: 'conflict',
    supersede: 'conflict',
    deliver: 'delivered',
  },
  declined: {
    answer: 'conflict',
    skip: 'conflict',
    dismiss: 'repeat',
    withdraw: 'conflict',
    supersede: 'conflict',
    deliver: 'delivered',
  },
  withdrawn: {
    answer: 'gone',
    skip: 'gone',
    dismiss: 'gone',
    withdraw: 'repeat',
    supersede: 'conflict',
    deliver: 'delivered',
  },
  superseded: {
    answer: 'gone',
    skip: 'gone',
    dismiss: 'gone',
    withdraw: 'conflict',
    supersede: 'repeat',
    deliver: 'delivered',
  },
  expired: {
    answer: 'gone',
    skip: 'gone',
    dismiss: 'gone',
    withdraw: 'conflict',
    supersede: 'conflict',
    deliver: 'delivered',
  },
  delivered: {
    answer: 'repeat',
    skip: 'conflict',
    dismiss: 'conflict',
    withdraw: 'conflict',
    supersede: 'conflict',
    deliver: 'repeat',
  },
  recorded: {
    answer: 'invalid',
    skip: 'invalid',
    dismiss: 'invalid',
    withdraw: 'invalid',
    supersede: 'invalid',
    deliver: 'invalid',
  },
};
const table = Status.options.flatMap((from) =>
  Object.entries(expected[from]).map(([move, outcome]) => ({ from, move, outcome })),
);

describe('the life of a notification', () => {
  eachStore((store) => {
    it.each(table)('LED-3 $from, $move: $outcome', async ({ from, move, outcome }) => {
      const { ledger, project } = await store.start();
      const id = await into[from](ledger, project);
      const before = await ledger.notifications.get(project, id);
      expect(before.status).toBe(from);
      const attempt = moves[move]?.(ledger, project, id) ?? Promise.reject(new Error(`no move ${move}`));
      if (Status.options.some((status) => status === outcome)) {
        expect(await attempt).toMatchObject({ repeat: false, notification: { status: outcome } });
        expect((await ledger.notifications.get(project, id)).status).toBe(outcome);
        return;
      }
      if (outcome === 'repeat') expect(await attempt).toEqual({ repeat: true, notification: before });
      else expect(await refusal(attempt)).toMatchObject({ code: outcome });
      expect(await ledger.notifications.get(project, id)).toEqual(before);
    });

    it.each(['answer', 'skip', 'dismiss', 'withdraw', 'supersede'])(
      'LED-3 %s names its actor and channel, in the row and in the event',
      async (move) => {
        const { ledger, project } = await store.start();
        const { id } = await ask(ledger, project);
        await moves[move]?.(ledger, project, id);
        const who: By = { withdraw: ann, supersede: coder }[move] ?? bob;
        const { resolvedBy, outcome } = await ledger.notifications.get(project, id);
        expect(resolvedBy).toEqual(who);
        const event = (await history(ledger, project)).at(-1);
        expect(event).toMatchObject({
          type: 'notification.resolved',
          by: who,
          data: { id, from: 'open', status: outcome, outcome },
        });
      },
    );

    it('LED-3 the event of a change is in the same transaction as the change', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      await store.whileFailing('events', 'insert', () =>
        fails(ledger.notifications.resolve(project, id, answers({ q1: 'no' }), ann)),
      );
      expect(await ledger.notifications.get(project, id)).toMatchObject({ status: 'open', responses: [] });
      await store.whileFailing('open_questions', 'update', () =>
        fails(ledger.notifications.resolve(project, id, answers({ q1: 'no' }), ann)),
      );
      expect(await lastEvent(ledger, project)).toBe(1);
    });

    it('LED-3 a delivered notification still says how it ended, and the delivery is an event', async () => {
      const { ledger, project } = await store.start();
      const id = await into.declined(ledger, project);
      await ledger.notifications.markDelivered(project, id, coder);
      expect(await ledger.notifications.get(project, id)).toMatchObject({
        status: 'delivered',
        outcome: 'declined',
        reason: 'not now',
        deliveredAt: expect.any(String),
      });
      expect((await history(ledger, project)).at(-1)).toMatchObject({
        type: 'notification.updated',
        by: coder,
        data: { id, from: 'declined', status: 'delivered', outcome: 'declined' },
      });
    });

    it('LED-3 a notice is recorded from the start and makes no task wait', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      const notice = await ask(ledger, project, { source: 'execute', sourceId: 'T1', notice: true });
      expect(notice).toMatchObject({ status: 'recorded' });
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({ status: 'open', blockReason: null });
    });

    it('LED-3 a person who dismisses has to say why', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      const attempt = async () =>
        ledger.notifications.resolve(project, id, { dismissed: true, reason: '  ' }, ann);
      expect(await refusal(attempt())).toMatchObject({ code: 'invalid' });
      expect((await ledger.notifications.get(project, id)).status).toBe('open');
    });

    it('LED-3 closing and opening the store is not an answer', async () => {
      const { ledger, project } = await store.start();
      const before = await ask(ledger, project);
      await ledger.close();
      const later = await store.open();
      expect(await later.notifications.get(project, before.id)).toEqual(before);
    });

    it('LED-3 an abort of the wait is not an answer', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      const stop = new AbortController();
      const waiting = ledger.notifications.wait(project, id, stop.signal);
      stop.abort();
      expect(await waiting).toBeUndefined();
      expect((await ledger.notifications.get(project, id)).status).toBe('open');
    });
  });
});
