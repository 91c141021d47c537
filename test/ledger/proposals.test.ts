import { describe, expect, it } from 'vitest';
import type { CreateInput, Policy } from '../../src/schema/notification.ts';
import { answers, ask, history, refusal } from './support/ask.ts';
import { ann, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const yes: Policy = { kind: 'default', after: 0.001, answers: { q1: 'Yes' } };
const about = (category?: string) => [{ id: 'q1', text: 'Go on?', options: ['Yes', 'No'], category }];

describe('a person decides what silence means', () => {
  eachStore((store) => {
    it.each<[string, string | undefined, Policy]>([
      ['a default where the category requires approval', 'scope', yes],
      ['a default without a category', undefined, yes],
      ['to skip', 'architecture', { kind: 'skip', after: 0.001 }],
      ['to fail', undefined, { kind: 'fail', after: 0.001 }],
    ])('an agent only proposes %s: the question stays open (BIND-9)', async (_, category, policy) => {
      const { ledger, project } = await store.start();
      const asked = await ask(ledger, project, { questions: about(category), policy });
      expect(asked).toMatchObject({ status: 'open', policy: { kind: 'wait' }, proposal: policy });
      expect(asked).not.toHaveProperty('deadlineAt');
      expect(await ledger.notifications.applyDeadlines()).toEqual([]);
      expect(await ledger.notifications.get(project, asked.id)).toEqual(asked);
    });

    it('one question that needs a person makes the whole policy a proposal (BIND-9)', async () => {
      const { ledger, project } = await store.start();
      const questions = [...about('dependency'), { id: 'q2', text: 'And this?', category: 'scope' }];
      const asked = await ask(ledger, project, { questions, policy: { kind: 'skip', after: 60 } });
      expect(asked).toMatchObject({ policy: { kind: 'wait' }, proposal: { kind: 'skip' } });
    });

    it.each(['automated', 'notify_and_proceed'] as const)(
      'an agent’s policy takes effect if the level is %s (BIND-9)',
      async (level) => {
        const { ledger, project } = await store.start();
        await ledger.projects.setHilConfig(project, { scopeChanges: level }, ann);
        const rounds = ['A?', 'B?', 'C?'].map((text) => [{ id: 'q1', text, category: 'scope' }]);
        for (const questions of rounds) await ask(ledger, project, { questions });
        const asked = await ask(ledger, project, { questions: about('scope'), policy: yes });
        expect(asked).toMatchObject({ policy: yes });
        expect(asked).not.toHaveProperty('proposal');
        expect(await ledger.notifications.wait(project, asked.id)).toMatchObject({ status: 'answered' });
      },
    );

    it.each(['gate', 'approval'] as const)(
      'the category that an agent claims does not lower %s: it can neither answer nor set a policy (BIND-9)',
      async (source) => {
        const { ledger, project } = await store.start();
        await ledger.projects.setHilConfig(project, 'full', ann);
        const questions = [{ ...about('scope')[0], recommended: 'Yes' }];
        const plain = await ask(ledger, project, { source, questions });
        expect(plain).toMatchObject({ status: 'open', responses: [] });
        const failing: Partial<CreateInput> = { source, questions, policy: { kind: 'fail', after: 0.001 } };
        expect(await ask(ledger, project, { ...failing, sourceId: 's2' })).toMatchObject({
          policy: { kind: 'wait' },
          proposal: { kind: 'fail' },
        });
        const refused = await refusal(
          ask(ledger, project, { source, questions, policy: yes, sourceId: 's3' }),
        );
        expect(refused.message).toContain(`kind "${source}" cannot have a default`);
      },
    );

    it('a person accepts the proposal: its time begins then, and silence decides (BIND-9)', async () => {
      const { ledger, project } = await store.start();
      const asked = await ask(ledger, project, { questions: about(), policy: { ...yes, after: 0.05 } });
      await new Promise((done) => setTimeout(done, 60));
      const { notification, repeat } = await ledger.notifications.acceptProposal(project, asked.id, ann);
      expect(repeat).toBe(false);
      expect(notification).toMatchObject({ status: 'open', policy: { kind: 'default' } });
      expect(notification).not.toHaveProperty('proposal');
      expect(Date.parse(notification.deadlineAt ?? '')).toBeGreaterThan(Date.parse(asked.createdAt) + 100);
      expect((await history(ledger, project)).at(-1)).toMatchObject({
        type: 'notification.updated',
        by: ann,
        data: { id: asked.id, accepted: { kind: 'default' } },
      });
      expect((await ledger.notifications.acceptProposal(project, asked.id, ann)).repeat).toBe(true);
      expect(await ledger.notifications.wait(project, asked.id)).toMatchObject({
        status: 'answered',
        responses: [{ answer: 'Yes', by: { actor: { kind: 'policy', name: 'default' } } }],
      });
    });

    it('a person answers instead, and the proposal stays on record without effect (BIND-9)', async () => {
      const { ledger, project } = await store.start();
      const asked = await ask(ledger, project, { questions: about(), policy: yes });
      await ledger.notifications.resolve(project, asked.id, answers({ q1: 'No' }), ann);
      const late = await refusal(ledger.notifications.acceptProposal(project, asked.id, ann));
      expect(late).toMatchObject({ code: 'conflict', message: expect.stringContaining('No') });
    });

    it('an agent cannot accept a proposal, and a question without one has nothing to accept (BIND-9)', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { questions: about(), policy: yes });
      const own = await refusal(ledger.notifications.acceptProposal(project, id, coder));
      expect(own).toMatchObject({ code: 'forbidden' });
      const plain = await ask(ledger, project);
      const nothing = await refusal(ledger.notifications.acceptProposal(project, plain.id, ann));
      expect(nothing).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('no proposal to accept'),
      });
    });

    it.each([ann, coder])('a default has to be one of the options (BIND-9)', async (by) => {
      const { ledger, project } = await store.start();
      const policy: Policy = { kind: 'default', after: 60, answers: { q1: 'Maybe' } };
      const refused = await refusal(ask(ledger, project, { questions: about(), policy }, by));
      expect(refused).toMatchObject({
        code: 'invalid',
        message: 'The default "Maybe" is not one of the options of question "q1": Yes, No.',
      });
      const filled = [{ id: 'q1', text: 'How?', options: ['With these steps: …', 'Not at all'] }];
      const steps: Policy = { kind: 'default', after: 60, answers: { q1: 'With these steps: build, test' } };
      expect((await ask(ledger, project, { questions: filled, policy: steps }, by)).status).toBe('open');
    });
  });
});
