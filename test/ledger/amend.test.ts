import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { CreateInput } from '../../src/schema/notification.ts';
import { answers, ask, askFor, history, refusal } from './support/ask.ts';
import { ann, bob, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const change = (answer: string, questionId = 'q1') => ({ responses: [{ questionId, answer }] });
const two = [
  { id: 'q1', text: 'Which database?' },
  { id: 'q2', text: 'Which cache?' },
];

describe('an amended answer', () => {
  eachStore((store) => {
    async function answered(ledger: Ledger, project: string, given: Partial<CreateInput> = {}) {
      const { id } = await ask(ledger, project, given);
      await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann);
      return id;
    }

    it('replaces the old one, which stays on record with who gave it (BIND-5)', async () => {
      const { ledger, project } = await store.start();
      const id = await answered(ledger, project);
      const { notification, repeat } = await ledger.notifications.amend(
        project,
        id,
        change('PostgreSQL'),
        bob,
      );
      expect(repeat).toBe(false);
      expect(notification).toMatchObject({
        status: 'answered',
        responses: [{ answer: 'PostgreSQL', by: bob, version: 2 }],
        replaced: [{ answer: 'SQLite', by: ann }],
        resolvedBy: bob,
      });
      expect(await ledger.notifications.get(project, id)).toEqual(notification);
      const events = (await history(ledger, project)).flatMap((event) =>
        'from' in event.data && event.data.id === id ? [{ ...event, data: event.data }] : [],
      );
      expect(events.map(({ data }) => data.amended ?? false)).toEqual([false, true]);
      expect(events.at(-1)).toMatchObject({ by: bob, data: { responses: [{ answer: 'PostgreSQL' }] } });
    });

    it('can be amended again; the same answer again changes nothing (BIND-5)', async () => {
      const { ledger, project } = await store.start();
      const id = await answered(ledger, project);
      await ledger.notifications.amend(project, id, change('PostgreSQL'), ann);
      const again = await ledger.notifications.amend(project, id, change('PostgreSQL'), ann);
      expect(again.repeat).toBe(true);
      const third = await ledger.notifications.amend(project, id, change('DuckDB'), ann);
      expect(third.notification).toMatchObject({
        responses: [{ answer: 'DuckDB', version: 3 }],
        replaced: [{ answer: 'SQLite' }, { answer: 'PostgreSQL', version: 2 }],
      });
    });

    it('replaces the decision: only the new one is current, is offered, and answers automatically (BIND-5)', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { questions: two });
      const given = answers({ q1: 'SQLite', q2: 'Redis' }, true);
      await ledger.notifications.resolve(project, id, given, ann);
      await ledger.notifications.amend(project, id, change('PostgreSQL'), bob);

      const current = await ledger.decisions.current(project);
      expect(current.map(({ answer, standing }) => [answer, standing]).sort()).toEqual([
        ['PostgreSQL', false],
        ['Redis', true],
      ]);
      const old = (await ledger.decisions.list(project)).find(({ answer }) => answer === 'SQLite');
      const replacement = current.find(({ answer }) => answer === 'PostgreSQL');
      expect(old).toMatchObject({ standing: false, replacedBy: replacement?.id });
      expect(await ledger.decisions.find(project, { text: 'Which database?' })).toEqual(replacement);
      const later = await ask(ledger, project, { sourceId: 'later' });
      expect(later).toMatchObject({ status: 'open', questions: [{ recommended: 'PostgreSQL' }] });
    });

    it('is undelivered again once the asker had the old one, and then delivered like any answer (BIND-5)', async () => {
      const { ledger, project } = await store.start();
      const id = await answered(ledger, project, { source: 'execute', sourceId: 'asker' });
      await ledger.notifications.markDelivered(project, id, coder);
      await ledger.notifications.amend(project, id, change('PostgreSQL'), ann);
      const [waiting] = await ledger.notifications.undelivered(project, 'execute', 'asker');
      expect(waiting).toMatchObject({ id, status: 'answered', deliveredAt: expect.any(String) });
      const { notification } = await ledger.notifications.markDelivered(project, id, coder);
      expect(notification.status).toBe('delivered');
    });

    it('changes only the record of an approval that was used (BIND-5)', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { source: 'approval', sourceId: 'asker' });
      await ledger.notifications.resolve(project, id, { approved: true }, ann);
      await ledger.notifications.markDelivered(project, id, coder);
      const { notification } = await ledger.notifications.amend(project, id, { approved: false }, ann);
      expect(notification).toMatchObject({
        status: 'delivered',
        responses: [{ answer: 'Reject', version: 2 }],
        replaced: [{ answer: 'Approve' }],
      });
    });

    it('appears in the chat of its task (BIND-5)', async () => {
      const { ledger, project } = await store.start();
      const task = await ledger.tasks.add({ projectId: project, title: 'Build it' }, ann);
      const { id } = await askFor(ledger, project, task.id);
      await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann);
      await ledger.notifications.amend(project, id, change('PostgreSQL'), ann);
      const chat = await ledger.tasks.chat(project, task.id);
      expect(chat.map(({ text }) => text)).toEqual([
        'Which database?\nSQLite',
        'Which database?\nAmended: PostgreSQL',
      ]);
    });

    it('turns a skipped question into an answered one (BIND-5)', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      const skip = { responses: [{ questionId: 'q1', skipped: true as const }] };
      await ledger.notifications.resolve(project, id, skip, ann);
      const { notification } = await ledger.notifications.amend(project, id, change('SQLite'), ann);
      expect(notification).toMatchObject({ status: 'answered', replaced: [{ kind: 'skipped' }] });
    });

    it('is refused from an agent or a policy, and for an open or withdrawn question or a notice (BIND-5)', async () => {
      const { ledger, project } = await store.start();
      const id = await answered(ledger, project);
      const policy = { actor: { kind: 'policy' as const, name: 'assume' }, channel: 'ledger' as const };
      for (const by of [coder, policy]) {
        const error = await refusal(ledger.notifications.amend(project, id, change('MySQL'), by));
        expect(error).toMatchObject({
          code: 'forbidden',
          message: 'Only a person may amend an answer.',
        });
      }
      const open = await ask(ledger, project, { sourceId: 'open' });
      const early = await refusal(ledger.notifications.amend(project, open.id, change('MySQL'), ann));
      expect(early.message).toBe(
        `Question ${open.id} is still open. Answer it: fermata answer ${open.id} VALUE`,
      );
      await ledger.notifications.withdraw(project, open.id, 'No longer needed.', coder);
      const late = await refusal(ledger.notifications.amend(project, open.id, change('MySQL'), ann));
      expect(late.code).toBe('gone');
      const notice = await ask(ledger, project, { sourceId: 'notice', notice: true });
      const none = await refusal(ledger.notifications.amend(project, notice.id, change('MySQL'), ann));
      expect(none.code).toBe('invalid');
      expect(await ledger.notifications.get(project, id)).toMatchObject({
        responses: [{ answer: 'SQLite' }],
      });
    });
  });
});
