import { describe, expect, it } from 'vitest';
import { answers, ask, askFor, eventTypes, fails, history, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

describe('a question that nobody needs any more', () => {
  eachStore((store) => {
    it('LED-13 that was withdrawn refuses an answer as gone, with the reason', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      await ledger.notifications.withdraw(project, id, 'The plan changed', ann);
      const error = await refusal(ledger.notifications.resolve(project, id, answers({ q1: 'x' }), ann));
      expect(error).toMatchObject({
        code: 'gone',
        message: `Question ${id} was withdrawn: The plan changed.`,
        details: { outcome: 'withdrawn', reason: 'The plan changed' },
      });
      expect(await ledger.notifications.get(project, id)).toMatchObject({
        status: 'withdrawn',
        responses: [],
      });
    });

    it('BIND-8 an agent can withdraw what it asked itself, and nothing else', async () => {
      const { ledger, project } = await store.start();
      const own = await ask(ledger, project);
      const asked = {
        projectId: project,
        source: 'execute' as const,
        sourceId: 's2',
        questions: ['Really?'],
      };
      const { notification: persons } = await ledger.notifications.create(asked, ann);
      const tester = { actor: { kind: 'agent' as const, name: 'tester' }, channel: 'agent' as const };
      const { notifications } = ledger;
      for (const attempt of [
        notifications.withdraw(project, persons.id, 'Mine now.', coder),
        notifications.withdraw(project, own.id, 'Mine now.', tester),
      ])
        expect(await refusal(attempt)).toMatchObject({ code: 'forbidden' });
      expect((await notifications.get(project, persons.id)).status).toBe('open');
      await notifications.withdraw(project, own.id, 'No longer needed.', coder);
      expect((await notifications.get(project, own.id)).status).toBe('withdrawn');
    });

    it('LED-13 that was superseded refuses an answer and names the one to answer instead', async () => {
      const { ledger, project } = await store.start();
      const old = await ask(ledger, project);
      const better = await ask(ledger, project, { questions: ['Which database, for ten users?'] });
      await ledger.notifications.supersede(project, old.id, better.id, 'Asked more precisely.', coder);
      const error = await refusal(ledger.notifications.resolve(project, old.id, answers({ q1: 'x' }), ann));
      expect(error).toMatchObject({
        code: 'gone',
        message: `Question ${old.id} was superseded: Asked more precisely. Answer ${better.id} instead.`,
        details: { outcome: 'superseded', supersededBy: better.id },
      });
      expect(await ledger.notifications.get(project, old.id)).toMatchObject({ supersededBy: better.id });
      expect((await ledger.notifications.get(project, better.id)).status).toBe('open');
    });

    it('LED-13 still refuses an answer after delivery', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      await ledger.notifications.withdraw(project, id, 'The plan changed', ann);
      await ledger.notifications.markDelivered(project, id, coder);
      const attempt = ledger.notifications.resolve(project, id, answers({ q1: 'x' }), ann);
      expect(await refusal(attempt)).toMatchObject({ code: 'gone' });
    });

    it('LED-13 can be superseded only by a question of the same project, and not by itself', async () => {
      const { ledger, project } = await store.start();
      const other = await store.project(ledger);
      const { id } = await ask(ledger, project);
      const foreign = await ask(ledger, other);
      for (const wrong of ['n-0', foreign.id]) {
        const attempt = ledger.notifications.supersede(project, id, wrong, 'why not', coder);
        expect(await refusal(attempt)).toMatchObject({ code: 'not_found' });
      }
      const itself = ledger.notifications.supersede(project, id, id, 'why not', coder);
      expect(await refusal(itself)).toMatchObject({ code: 'invalid' });
      expect((await ledger.notifications.get(project, id)).status).toBe('open');
    });

    it.each(['', '   ', 'x'.repeat(4001)])('LED-13 needs a reason that can be read', async (reason) => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      const other = await ask(ledger, project, { questions: ['Other?'] });
      expect(await refusal(ledger.notifications.withdraw(project, id, reason, ann))).toMatchObject({
        code: 'invalid',
      });
      const attempt = ledger.notifications.supersede(project, id, other.id, reason, ann);
      expect(await refusal(attempt)).toMatchObject({ code: 'invalid' });
    });

    it('LED-13 closing a task withdraws its questions, in the same transaction', async () => {
      const { ledger, project } = await store.start();
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      const one = await askFor(ledger, project, 'T1');
      const two = await askFor(ledger, project, 'T1', { questions: ['B?'] });
      const other = await askFor(ledger, project, 'T2');
      const close = () => ledger.tasks.close(project, 'T1', ann);
      await store.whileFailing('open_questions', 'update', () => fails(close()));
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({ status: 'blocked' });
      await close();
      for (const { id } of [one, two]) {
        expect(await ledger.notifications.get(project, id)).toMatchObject({
          status: 'withdrawn',
          reason: 'Task T1 was closed.',
          resolvedBy: ann,
        });
      }
      expect((await ledger.notifications.get(project, other.id)).status).toBe('open');
      expect(await ledger.tasks.get(project, 'T1')).toMatchObject({ status: 'closed', blockReason: null });
      const types = ['task.updated', 'notification.resolved', 'notification.resolved'];
      expect((await eventTypes(ledger, project)).slice(-3)).toEqual(types);
    });

    it('LED-13 a part of the answers stays on record when the rest is withdrawn', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { questions: ['A?', 'B?'] });
      await ledger.notifications.resolve(project, id, answers({ q1: 'one' }), ann);
      await ledger.notifications.withdraw(project, id, 'The plan changed', coder);
      expect(await ledger.notifications.get(project, id)).toMatchObject({
        status: 'withdrawn',
        responses: [{ questionId: 'q1', answer: 'one' }],
      });
      expect((await history(ledger, project)).at(-1)).toMatchObject({ data: { reason: 'The plan changed' } });
    });
  });
});
