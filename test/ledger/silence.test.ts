import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { CreateInput, Notification, Policy } from '../../src/schema/notification.ts';
import { answers, ask as askBy, history, refusal } from './support/ask.ts';
import { ann, bob } from './support/people.ts';
import { eachStore } from './support/stores.ts';

/** What a person asks; the policy of an agent is a proposal. */
const ask = (ledger: Ledger, project: string, given?: Partial<CreateInput>) =>
  askBy(ledger, project, given, bob);
const soon = 0.001;
const policyActor = (name: string) => ({ actor: { kind: 'policy', name }, channel: 'ledger' });
const byDefault = (given: Record<string, string | string[]>, after = soon): Policy => ({
  kind: 'default',
  after,
  answers: given,
});

/** Applies deadlines as a running program would, until this question changes. */
async function untilApplied(ledger: Ledger, project: string, asked: Notification): Promise<Notification> {
  for (;;) {
    await ledger.notifications.applyDeadlines();
    const now = await ledger.notifications.get(project, asked.id);
    if (JSON.stringify(now) !== JSON.stringify(asked)) return now;
  }
}

describe('silence', () => {
  eachStore((store) => {
    it('CHAN-3 means waiting by default', async () => {
      const { ledger, project } = await store.start();
      const asked = await ask(ledger, project);
      expect(asked.policy).toEqual({ kind: 'wait' });
      expect(asked).not.toHaveProperty('deadlineAt');
      const { deadlineAt } = await ask(ledger, project, {
        sourceId: 's2',
        policy: { kind: 'fail', after: soon },
      });
      while (Date.now() <= Date.parse(deadlineAt ?? '')) await new Promise((done) => setImmediate(done));
      expect(await ledger.notifications.applyDeadlines()).toHaveLength(1);
      expect(await ledger.notifications.get(project, asked.id)).toEqual(asked);
    });

    it.each<[string, Policy, object]>([
      [
        'default',
        byDefault({ q1: 'SQLite' }),
        { status: 'answered', responses: [{ answer: 'SQLite', by: policyActor('default') }] },
      ],
      [
        'skip',
        { kind: 'skip', after: soon },
        { status: 'skipped', responses: [{ kind: 'skipped', by: policyActor('skip') }] },
      ],
      [
        'fail',
        { kind: 'fail', after: soon },
        {
          status: 'expired',
          responses: [],
          reason: expect.stringContaining('Nobody answered within 0.001 s'),
        },
      ],
    ])('CHAN-3 %s ends it at the deadline, with the policy as actor', async (name, policy, end) => {
      const { ledger, project } = await store.start();
      const asked = await ask(ledger, project, { policy });
      expect(Date.parse(asked.deadlineAt ?? '')).toBeGreaterThan(Date.parse(asked.createdAt));
      const settled = await untilApplied(ledger, project, asked);
      expect(settled).toMatchObject({ ...end, resolvedBy: policyActor(name) });
      expect((await history(ledger, project)).at(-1)).toMatchObject({
        type: 'notification.resolved',
        by: policyActor(name),
        data: { id: asked.id, policy: name },
      });
      expect(await ledger.notifications.applyDeadlines()).toEqual([]);
    });

    it('CHAN-3 remind reminds repeatedly, and leaves it open', async () => {
      const { ledger, project } = await store.start();
      const asked = await ask(ledger, project, { policy: { kind: 'remind', after: 0.02 } });
      const once = await untilApplied(ledger, project, asked);
      const twice = await untilApplied(ledger, project, once);
      expect([once.status, twice.status]).toEqual(['open', 'open']);
      expect(Date.parse(twice.deadlineAt ?? '')).toBeGreaterThan(Date.parse(once.deadlineAt ?? ''));
      const reminders = (await history(ledger, project)).slice(1);
      expect(reminders.length).toBeGreaterThanOrEqual(2);
      for (const event of reminders) {
        expect(event).toMatchObject({
          type: 'notification.updated',
          by: policyActor('remind'),
          data: { policy: 'remind', status: 'open' },
        });
      }
      await ledger.notifications.resolve(project, asked.id, answers({ q1: 'yes' }), ann);
      expect(await ledger.notifications.applyDeadlines()).toEqual([]);
    });

    it('CHAN-3 before the deadline changes nothing, and an answer in time wins', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { policy: byDefault({ q1: 'SQLite' }, 3600) });
      expect(await ledger.notifications.applyDeadlines()).toEqual([]);
      await ledger.notifications.resolve(project, id, answers({ q1: 'MySQL' }), ann);
      expect(await ledger.notifications.get(project, id)).toMatchObject({ resolvedBy: ann });
    });

    it('CHAN-3 a process that waits for the answer applies the deadline itself', async () => {
      const { ledger, project } = await store.start();
      const asked = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          ask(ledger, project, { sourceId: `s${n}`, policy: byDefault({ q1: 'yes' }, 0.01 + n / 500) }),
        ),
      );
      const settled = await Promise.all(asked.map(({ id }) => ledger.notifications.wait(project, id)));
      for (const notification of settled) {
        expect(notification).toMatchObject({ status: 'answered', resolvedBy: policyActor('default') });
      }
    });

    it('CHAN-3 of two that apply the deadline at once, one does, and only that one reports it', async () => {
      const { ledger, project } = await store.start();
      const other = await store.open();
      const { id, deadlineAt } = await ask(ledger, project, { policy: { kind: 'skip', after: soon } });
      while (Date.now() <= Date.parse(deadlineAt ?? '')) await new Promise((done) => setImmediate(done));
      const reports = await Promise.all([ledger, other].map((l) => l.notifications.applyDeadlines()));
      expect(reports.flat().map((n) => n.id)).toEqual([id]);
      expect(await history(ledger, project)).toHaveLength(2);
    });

    it('CHAN-3 fills in only what nobody answered', async () => {
      const { ledger, project } = await store.start();
      const policy = byDefault({ q1: 'a', q2: 'b' }, 0.05);
      const asked = await ask(ledger, project, { questions: ['A?', 'B?'], policy });
      await ledger.notifications.resolve(project, asked.id, answers({ q2: 'mine' }), ann);
      expect(await ledger.notifications.wait(project, asked.id)).toMatchObject({
        responses: [
          { questionId: 'q2', answer: 'mine', by: ann },
          { questionId: 'q1', answer: 'a', by: policyActor('default') },
        ],
      });
    });

    it('CHAN-3 an expired question no longer accepts an answer', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { policy: { kind: 'fail', after: soon } });
      await ledger.notifications.wait(project, id);
      const late = ledger.notifications.resolve(project, id, answers({ q1: 'x' }), ann);
      expect(await refusal(late)).toMatchObject({
        code: 'gone',
        message: expect.stringContaining('expired'),
      });
    });

    it.each<[string, Partial<CreateInput>, RegExp]>([
      [
        'a gate by default',
        { source: 'gate', policy: byDefault({ q1: 'x' }) },
        /kind "gate" cannot have a default/,
      ],
      [
        'a gate by skipping',
        { source: 'gate', policy: { kind: 'skip', after: 1 } },
        /kind "gate" cannot have a default/,
      ],
      [
        'an approval',
        { source: 'approval', policy: byDefault({ q1: 'Approve' }) },
        /kind "approval" cannot have a default/,
      ],
      [
        'what requires approval',
        { questions: [{ id: 'q1', text: 'A?', category: 'scope' }], policy: byDefault({ q1: 'x' }) },
        /"q1" is about scope, which requires approval/,
      ],
      [
        'what requires approval, by skipping',
        {
          questions: [{ id: 'q1', text: 'A?', category: 'architecture' }],
          policy: { kind: 'skip', after: 1 },
        },
        /"q1" is about architecture, which requires approval/,
      ],
      [
        'a question that has no default',
        { questions: ['A?', 'B?'], policy: byDefault({ q1: 'x' }) },
        /no answer for question "q2"/,
      ],
      ['a question with a blank default', { policy: byDefault({ q1: '  ' }) }, /"q1" is empty/],
      [
        'with an option whose blank is not filled in',
        {
          questions: [{ id: 'q1', text: 'A?', options: ['These: …'] }],
          policy: byDefault({ q1: 'These: …' }),
        },
        /"These: …" has a blank/,
      ],
      [
        'a question with too many defaults',
        { policy: byDefault({ q1: ['x', 'y'] }) },
        /"q1" takes one answer, but 2/,
      ],
    ])('CHAN-3 never answers %s', async (_, given, sentence) => {
      const { ledger, project } = await store.start();
      const error = await refusal(ask(ledger, project, given));
      expect(error).toMatchObject({ code: 'invalid', message: expect.stringMatching(sentence) });
      expect(await history(ledger, project)).toEqual([]);
    });

    it('CHAN-3 may give the default answer to what this project leaves to its agents', async () => {
      const { ledger, project } = await store.start();
      await ledger.projects.setHilConfig(project, { scopeChanges: 'automated' }, ann);
      const questions = [{ id: 'q1', text: 'A?', category: 'scope' }];
      const policy = byDefault({ q1: 'x' }, 60);
      const input = { projectId: project, source: 'plan' as const, sourceId: 'p', questions, policy };
      expect((await ledger.notifications.create(input, bob)).notification).toMatchObject({ status: 'open' });
    });

    it.each(['remind', 'fail'] as const)('CHAN-3 a gate may %s', async (kind) => {
      const { ledger, project } = await store.start();
      const gate = await ask(ledger, project, { source: 'gate', policy: { kind, after: 60 } });
      expect(gate).toMatchObject({ status: 'open', policy: { kind } });
    });

    it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
      'CHAN-3 %s seconds is not a valid deadline',
      async (after) => {
        const { ledger, project } = await store.start();
        expect(await refusal(ask(ledger, project, { policy: { kind: 'skip', after } }))).toMatchObject({
          code: 'invalid',
        });
      },
    );
  });
});
