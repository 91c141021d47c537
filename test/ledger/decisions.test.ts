import { describe, expect, it } from 'vitest';
import { decisionsMarkdown } from '../../src/ledger/decisions/decision-log.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { CreateInput } from '../../src/schema/notification.ts';
import { answers, ask, askFor, history, readyIds, refusal } from './support/ask.ts';
import { ann, bob } from './support/people.ts';
import { eachStore } from './support/stores.ts';

/** Ann has decided, for now or as a standing decision. */
async function decided(
  ledger: Ledger,
  project: string,
  given: Partial<CreateInput>,
  standing = false,
  answer = 'SQLite',
) {
  const { id } = await ask(ledger, project, { sourceId: 'earlier', ...given });
  await ledger.notifications.resolve(project, id, answers({ q1: answer }, standing), ann);
  const [decision] = await ledger.decisions.list(project);
  return { id, decision };
}
const question = { id: 'q1', text: 'Which database?' };

describe('decisions', () => {
  eachStore((store) => {
    it('LED-12 an answer is kept with its question, scope, date and who gave it', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { source: 'gap', sourceId: 'issue-7' });
      const responses = [{ questionId: 'q1', answer: 'SQLite', note: 'small' }];
      const { notification } = await ledger.notifications.resolve(project, id, { responses }, bob);
      expect(await ledger.decisions.list(project)).toEqual([
        {
          id: expect.stringMatching(/^d-/),
          projectId: project,
          question: 'Which database?',
          answer: 'SQLite',
          note: 'small',
          source: 'gap',
          sourceId: 'issue-7',
          notificationId: id,
          by: bob,
          at: notification.resolvedAt,
          standing: false,
          replacedBy: null,
        },
      ]);
    });

    it('LED-12 the newest decision on a question is found by the question, in its own project only', async () => {
      const { ledger, project } = await store.start();
      await decided(ledger, project, { questions: [question] });
      const { decision } = await decided(ledger, project, { questions: [question] }, false, 'DuckDB');
      expect(await ledger.decisions.find(project, { text: 'which database' })).toEqual(decision);
      expect(await ledger.decisions.find(project, { text: 'Which table?' })).toBeUndefined();
      expect(await ledger.decisions.find('p-other', { text: 'Which database?' })).toBeUndefined();
    });

    it('LED-12 the same question, however spaced and capitalised, is offered with that answer, and stays open', async () => {
      const { ledger, project } = await store.start();
      const { decision } = await decided(ledger, project, { questions: [question] });
      const again = await ask(ledger, project, {
        sourceId: 'later',
        questions: [{ id: 'x', text: '  which   DATABASE ', recommended: 'MySQL' }],
      });
      expect(again).toMatchObject({ status: 'open', responses: [] });
      expect(again.questions).toMatchObject([
        {
          recommended: 'SQLite',
          earlier: { decisionId: decision?.id, answer: 'SQLite', by: 'ann', at: decision?.at },
        },
      ]);
      expect(await ledger.notifications.get(project, again.id)).toEqual(again);
    });

    it('LED-12 another question, other options, several picks or another project are not the same', async () => {
      const { ledger, project } = await store.start();
      const other = await store.project(ledger);
      const options = ['SQLite', 'PostgreSQL'];
      await decided(ledger, project, { questions: [{ ...question, options }] }, true);
      const different = [
        await ask(ledger, project, { questions: [{ ...question, text: 'Which cache?', options }] }),
        await ask(ledger, project, { questions: [{ ...question, options: ['SQLite', 'MySQL'] }] }),
        await ask(ledger, project, { questions: [{ ...question, options, multi: true }] }),
        await ask(ledger, other, { questions: [{ ...question, options }] }),
      ];
      for (const { status, questions } of different) {
        expect(status).toBe('open');
        expect(questions[0]).not.toHaveProperty('earlier');
      }
      const reordered = await ask(ledger, project, {
        questions: [{ ...question, options: options.toReversed() }],
      });
      expect(reordered.questions[0]).toHaveProperty('earlier');
    });

    it('LED-12 the newest decision is the one that is offered', async () => {
      const { ledger, project } = await store.start();
      await decided(ledger, project, { questions: [question] }, false, 'MySQL');
      await decided(ledger, project, { questions: [question] }, false, 'SQLite');
      expect((await ask(ledger, project)).questions[0]).toMatchObject({ recommended: 'SQLite' });
    });

    it('LED-12 a standing decision answers by policy, and the answer says so', async () => {
      const { ledger, project } = await store.start();
      const { decision } = await decided(ledger, project, { questions: [question] }, true);
      const again = await ask(ledger, project, { sourceId: 'later' });
      const policy = {
        actor: { kind: 'policy', name: `standing decision ${decision?.id}` },
        channel: 'ledger',
      };
      expect(again).toMatchObject({
        status: 'answered',
        resolvedBy: policy,
        responses: [{ answer: 'SQLite', by: policy }],
      });
      expect((await history(ledger, project)).slice(-2)).toMatchObject([
        { type: 'notification.added', data: { notification: { id: again.id, status: 'open' } } },
        { type: 'notification.resolved', by: policy, data: { id: again.id, outcome: 'answered' } },
      ]);
      expect(await ledger.decisions.list(project)).toHaveLength(1);
    });

    it('LED-12 of several answers, only those that the person marked become standing', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { questions: ['A?', 'B?'] });
      const responses = [
        { questionId: 'q1', answer: 'yes', standing: true as const },
        { questionId: 'q2', answer: 'no' },
      ];
      const { notification } = await ledger.notifications.resolve(project, id, { responses }, ann);
      expect(notification.responses).toMatchObject([{ standing: true }, { answer: 'no' }]);
      expect(notification.responses[1]).not.toHaveProperty('standing');
      const kept = await ledger.decisions.list(project);
      expect(Object.fromEntries(kept.map((d) => [d.question, d.standing]))).toEqual({
        'A?': true,
        'B?': false,
      });
    });

    it('LED-12 a standing decision answers only its own among several questions', async () => {
      const { ledger, project } = await store.start();
      await decided(ledger, project, { questions: [question] }, true);
      const mixed = await ask(ledger, project, { questions: ['Which cache?', { ...question, id: 'db' }] });
      expect(mixed).toMatchObject({ status: 'open', responses: [{ questionId: 'db', answer: 'SQLite' }] });
    });

    it('LED-12 a task whose question a standing decision answers does not wait', async () => {
      const { ledger, project } = await store.start();
      await decided(ledger, project, { questions: [question] }, true);
      await ledger.tasks.add({ projectId: project, id: 'T1', title: 'Work' }, ann);
      await askFor(ledger, project, 'T1');
      expect(await readyIds(ledger, project)).toEqual(['T1']);
      expect(await ledger.tasks.chat(project, 'T1')).toMatchObject([{ by: { actor: { kind: 'policy' } } }]);
    });

    it('LED-12 a standing decision can be revoked: from then on it is only offered', async () => {
      const { ledger, project } = await store.start();
      const { decision } = await decided(ledger, project, { questions: [question] }, true);
      await ledger.decisions.revoke(project, decision?.id ?? '', bob);
      expect((await history(ledger, project)).at(-1)).toMatchObject({
        type: 'settings.updated',
        by: bob,
        data: { decisionId: decision?.id, standing: false },
      });
      const again = await ask(ledger, project, { sourceId: 'later' });
      expect(again).toMatchObject({ status: 'open', questions: [{ recommended: 'SQLite' }] });
      expect(await refusal(ledger.decisions.revoke(project, decision?.id ?? '', bob))).toMatchObject({
        code: 'not_found',
      });
    });

    it.each(['gate', 'approval'] as const)(
      'LED-12 CHAN-3 a %s is never answered by an earlier decision',
      async (source) => {
        const { ledger, project } = await store.start();
        const answer = source === 'approval' ? 'Approve' : 'yes';
        const { id } = await ask(ledger, project, { source, questions: [question] });
        const standing = ledger.notifications.resolve(project, id, answers({ q1: answer }, true), ann);
        expect(await refusal(standing)).toMatchObject({
          code: 'invalid',
          message: expect.stringContaining('cannot become a standing'),
        });
        await ledger.notifications.resolve(project, id, answers({ q1: answer }), ann);
        await decided(
          ledger,
          project,
          {
            questions: [{ ...question, options: source === 'approval' ? ['Approve', 'Reject'] : undefined }],
          },
          true,
          answer,
        );
        const again = await ask(ledger, project, { source, sourceId: 'later', questions: [question] });
        expect(again).toMatchObject({ status: 'open', responses: [] });
        expect(again.questions[0]).not.toHaveProperty('recommended');
      },
    );

    it('LED-12 a skipped or dismissed question, or a policy’s answer, is not a decision', async () => {
      const { ledger, project } = await store.start();
      const skipped = await ask(ledger, project, { questions: ['A?', 'B?'] });
      const responses = [
        { questionId: 'q1', skipped: true as const },
        { questionId: 'q2', dismissed: true as const, reason: 'no' },
      ];
      await ledger.notifications.resolve(project, skipped.id, { responses }, ann);
      const policy = { kind: 'default' as const, after: 0.001, answers: { q1: 'yes' } };
      const silent = await ask(ledger, project, { questions: ['C?'], policy }, ann);
      expect(await ledger.notifications.wait(project, silent.id)).toMatchObject({ status: 'answered' });
      expect(await ledger.decisions.list(project)).toEqual([]);
    });

    it('LED-12 the export says who decided what, where and when, and which decisions are standing', async () => {
      const { ledger, project } = await store.start();
      expect(decisionsMarkdown('Acme', [])).toBe('# Decisions of Acme\n\nNothing has been decided yet.\n');
      const { id } = await ask(ledger, project, {
        questions: [{ id: 'q1', text: 'Which\ndatabases?', multi: true }],
      });
      const given = [{ questionId: 'q1', answer: ['A', 'B'], note: 'For\nnow', standing: true as const }];
      await ledger.notifications.resolve(project, id, { responses: given }, ann);
      const decisions = await ledger.decisions.list(project);
      const text = decisionsMarkdown('Acme', decisions);
      expect(text).toContain(
        '# Decisions of Acme\n\n## Which databases?\n\n**A, B**\n\nFor\nnow\n\nDecided by ann on ',
      );
      expect(text).toContain(`${decisions[0]?.at.slice(0, 10)} (plan plan-1, ${decisions[0]?.id}); standing`);
    });
  });
});
