import { describe, expect, it } from 'vitest';
import { answers, ask, refusal } from './support/ask.ts';
import { ann, bob } from './support/people.ts';
import { eachStore } from './support/stores.ts';

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

    it('LED-4 is answered by its options and by nothing else', async () => {
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

    it('LED-4 takes no options from the one who asks', async () => {
      const { ledger, project } = await store.start();
      const sly = { text: 'Delete everything?', options: ['Sure', 'Of course'], multi: true };
      const { questions } = await ask(ledger, project, { source: 'approval', questions: [sly] });
      expect(questions[0]?.options?.map((o) => o.label)).toEqual(['Approve', 'Reject']);
      expect(questions[0]).not.toHaveProperty('multi');
    });
  });
});
