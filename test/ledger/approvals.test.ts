import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { answers, ask, refusal } from './support/ask.ts';
import { ann, bob, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const startRun = (ledger: Ledger, projectId: string) =>
  ledger.runs.start(
    { projectId, agent: 'claude', source: 'plan', sourceId: 'plan-1', cwd: '/', data: { for: 'other' } },
    { worker: 'here:1', leaseSeconds: 60 },
    coder,
  );
const approval = { source: 'approval' as const, questions: [{ id: 'q1', text: 'Add left-pad?' }] };

describe('an approval', () => {
  eachStore((store) => {
    it.each([
      [true, 'Approve'],
      [false, 'Reject'],
    ])('LED-4 approved: %s is the answer "%s", with its comment', async (approved, answer) => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, approval);
      const { notification } = await ledger.notifications.resolve(
        project,
        id,
        { approved, comment: 'fine' },
        ann,
      );
      expect(notification).toMatchObject({
        status: 'answered',
        responses: [{ answer, note: 'fine', by: ann }],
      });
    });

    it('LED-4 accepts only its options as answers', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, approval);
      const vague = ledger.notifications.resolve(project, id, answers({ q1: 'perhaps' }), ann);
      expect(await refusal(vague)).toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/Approve or Reject/),
      });
      expect(await ledger.notifications.resolve(project, id, answers({ q1: 'reject' }), ann)).toMatchObject({
        notification: { responses: [{ answer: 'Reject' }] },
      });
    });

    it('LED-4 that was rejected cannot be approved afterwards', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, approval);
      await ledger.notifications.resolve(project, id, { approved: false }, ann);
      expect(await refusal(ledger.notifications.resolve(project, id, { approved: true }, bob))).toMatchObject(
        {
          code: 'conflict',
          details: { by: ann },
        },
      );
      expect(await ledger.notifications.resolve(project, id, { approved: false }, bob)).toMatchObject({
        repeat: true,
      });
    });

    it('HEAR-10 lapses if nobody used it, with its answer on record; one that was used stays', async () => {
      const { ledger, project } = await store.start();
      const run = await startRun(ledger, project);
      const { id } = await ask(ledger, project, approval);
      await ledger.notifications.resolve(project, id, { approved: true }, ann);
      const lapsed = await ledger.notifications.lapse(project, id, 'It is gone.', bob, run);
      expect(lapsed.notification).toMatchObject({
        status: 'withdrawn',
        outcome: 'withdrawn',
        reason: 'It is gone.',
        responses: [{ answer: 'Approve', by: ann }],
      });
      expect(await ledger.notifications.lapse(project, id, 'Again.', bob, run)).toMatchObject({
        repeat: true,
      });
      const used = await ask(ledger, project, { ...approval, questions: [{ text: 'Add right-pad?' }] });
      await ledger.notifications.resolve(project, used.id, { approved: true }, ann);
      await ledger.notifications.markDelivered(project, used.id, bob);
      expect(await ledger.notifications.lapse(project, used.id, 'Late.', bob, run)).toMatchObject({
        repeat: true,
        notification: { status: 'delivered', outcome: 'answered' },
      });
    });

    it('HEAR-10 is closed by the holder of its run, not by one that has lost it', async () => {
      const { ledger, project } = await store.start();
      const lost = await startRun(ledger, project);
      const claim = { worker: 'other:2', leaseSeconds: 60 };
      const held = await ledger.runs.take(project, lost.id, claim, coder, 'here:1');
      const resume = { agent: 'claude', run: held.id, toolCallId: 't1' };
      const { id } = await ask(ledger, project, { ...approval, resume });
      const { notifications } = ledger;
      expect(await refusal(notifications.lapse(project, id, 'Gone.', coder, lost))).toMatchObject({
        code: 'stale',
      });
      expect(await refusal(notifications.withdraw(project, id, 'Gone.', coder, lost))).toMatchObject({
        code: 'stale',
      });
      expect((await notifications.get(project, id)).status).toBe('open');
      await notifications.lapse(project, id, 'Gone.', coder, held);
      expect((await notifications.get(project, id)).status).toBe('withdrawn');
    });

    it('HEAR-8 may include a wider permission, with text that says so', async () => {
      const { ledger, project } = await store.start();
      const wider = 'Approve, and allow `npm test *` for this session';
      const question = { id: 'q1', text: 'Run it?', options: [{ id: 'reject', label: wider }, 'Yes'] };
      const { id, questions } = await ask(ledger, project, { ...approval, questions: [question] });
      expect(questions[0]?.options).toEqual([
        { id: 'approve', label: 'Approve' },
        { id: 'reject', label: 'Reject' },
        { label: wider },
      ]);
      expect(await ledger.notifications.resolve(project, id, answers({ q1: wider }), ann)).toMatchObject({
        notification: { status: 'answered', responses: [{ answer: wider }] },
      });
    });

    it('LED-4 takes no options from the asker', async () => {
      const { ledger, project } = await store.start();
      const sly = { text: 'Delete everything?', options: ['Sure', 'Of course'], multi: true };
      const { questions } = await ask(ledger, project, { source: 'approval', questions: [sly] });
      expect(questions[0]?.options?.map((o) => o.label)).toEqual(['Approve', 'Reject']);
      expect(questions[0]).not.toHaveProperty('multi');
    });
  });
});
