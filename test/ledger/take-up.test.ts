import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { CreateInput } from '../../src/schema/notification.ts';
import { answers, ask } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

describe('an asker that died comes back and asks the same', () => {
  eachStore((store) => {
    const askAgain = async (ledger: Ledger, project: string, given: Partial<CreateInput> = {}) => {
      const asked = {
        source: 'plan' as const,
        sourceId: 'plan-1',
        questions: [{ id: 'q1', text: 'Which database?' }],
      };
      return ledger.notifications.create({ projectId: project, ...asked, takeUp: true, ...given }, coder);
    };

    it('LED-5 it gets the outcome from while it was dead, even a refusal or a timeout', async () => {
      const { ledger, project } = await store.start();
      const answered = await ask(ledger, project);
      await ledger.notifications.resolve(project, answered.id, answers({ q1: 'SQLite' }), ann);
      const dismissed = await ask(ledger, project, { sourceId: 'plan-2' });
      await ledger.notifications.resolve(project, dismissed.id, { dismissed: true, reason: 'Not now.' }, ann);

      const first = await askAgain(ledger, project);
      expect(first).toMatchObject({ existing: true, notification: { id: answered.id, status: 'answered' } });
      expect(first.notification.responses).toMatchObject([{ answer: 'SQLite' }]);
      const second = await askAgain(ledger, project, { sourceId: 'plan-2' });
      expect(second).toMatchObject({
        existing: true,
        notification: { id: dismissed.id, status: 'declined' },
      });
      expect(await ledger.notifications.count(['open'], project)).toBe(0);
    });

    it('LED-5 it waits for the question that is still open rather than take an older answer', async () => {
      const { ledger, project } = await store.start();
      const old = await ask(ledger, project);
      await ledger.notifications.resolve(project, old.id, answers({ q1: 'SQLite' }), ann);
      const open = await ask(ledger, project);
      expect(await askAgain(ledger, project)).toMatchObject({
        existing: true,
        notification: { id: open.id },
      });
    });

    it('LED-5 it takes the newest of several answers', async () => {
      const { ledger, project } = await store.start();
      for (const answer of ['SQLite', 'PostgreSQL']) {
        const { id } = await ask(ledger, project);
        await ledger.notifications.resolve(project, id, answers({ q1: answer }), ann);
        await sleep(2); // the store's clock counts milliseconds
      }
      const { notification } = await askAgain(ledger, project);
      expect(notification.responses).toMatchObject([{ answer: 'PostgreSQL' }]);
    });

    it.each([
      ['what was delivered', { delivered: true }, {}],
      ['another question', {}, { questions: [{ id: 'q1', text: 'Which cache?' }] }],
      ["another asker's", {}, { sourceId: 'plan-2' }],
      ["another source's", {}, { source: 'eval' as const }],
      ['anything without being told so', {}, { takeUp: false }],
    ])('LED-5 it does not get %s', async (_, { delivered }: { delivered?: boolean }, again) => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann);
      if (delivered) await ledger.notifications.markDelivered(project, id, coder);
      expect(await askAgain(ledger, project, again)).toMatchObject({
        existing: false,
        notification: { status: 'open' },
      });
    });

    it('LED-5 the answer goes to where it asks from now, whether it exists already or comes later', async () => {
      const { ledger, project } = await store.start();
      const [before, now] = [
        { agent: 'claude', sessionId: 'one' },
        { agent: 'claude', sessionId: 'two' },
      ];
      const recipeOf = async (id: string) => (await ledger.notifications.get(project, id)).resume;
      const open = await ask(ledger, project, { resume: before });
      const answered = await ask(ledger, project, { sourceId: 'plan-2', resume: before });
      await ledger.notifications.resolve(project, answered.id, answers({ q1: 'SQLite' }), ann);
      const unrelated = await ask(ledger, project, { sourceId: 'plan-3', resume: before });
      for (const { id, sourceId } of [open, answered]) {
        const again = await askAgain(ledger, project, { sourceId, resume: now });
        expect(again).toMatchObject({ existing: true, notification: { id, resume: now } });
        expect(await recipeOf(id)).toEqual(now);
        await askAgain(ledger, project, { sourceId });
        expect(await recipeOf(id)).toEqual(now);
      }
      expect(await recipeOf(unrelated.id)).toEqual(before);
    });

    it('LED-5 it does not get an answer from another project', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann);
      expect(await askAgain(ledger, await store.project(ledger))).toMatchObject({ existing: false });
    });
  });
});
