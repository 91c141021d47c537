import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { HumanGate } from '../../src/schema/gate.ts';
import type { CreateInput } from '../../src/schema/notification.ts';
import { answers, refusal } from './support/ask.ts';
import { ann, bob, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const gate: HumanGate = { kind: 'testing', plan: 'shop', phase: '1', round: 1, file: '/gates/shop-1.yaml' };
const verdict = { id: 'passed', text: 'Does it work?', options: ['passed', 'changes'] };
const thoughts = { id: 'thoughts', text: 'Anything to say?' };
const letters = (...ids: string[]) =>
  ids.map((id) => ({ id, text: `What about ${id}?`, options: ['main', 'alternative', 'discard'] }));

eachStore((store) => {
  async function asked(ledger: Ledger, project: string, given: Partial<CreateInput> = {}) {
    const input = {
      projectId: project,
      source: 'gate' as const,
      sourceId: 'shop/1',
      questions: [verdict, thoughts],
      gate,
      ...given,
    };
    return ledger.notifications.create(input, coder);
  }

  it('GATE-1 asked again, it is the same gate with the same answer, whatever crashed in between', async () => {
    const { ledger, project } = await store.start();
    const first = await asked(ledger, project);
    expect(first.notification).toMatchObject({ source: 'gate', gate });
    const again = await asked(ledger, project, {
      questions: [{ ...verdict, text: 'In other words?' }, thoughts],
    });
    expect(again).toMatchObject({ existing: true, notification: { id: first.notification.id } });
    const { id } = first.notification;
    await ledger.notifications.resolve(
      project,
      id,
      answers({ passed: 'changes', thoughts: 'too slow' }),
      ann,
    );
    await ledger.notifications.markDelivered(project, id, coder);
    const answered = await asked(ledger, project);
    expect(answered).toMatchObject({ existing: true, notification: { id, outcome: 'answered' } });
    const next = await asked(ledger, project, { gate: { ...gate, round: 2 } });
    expect(next).toMatchObject({ existing: false, notification: { status: 'open' } });
  });

  it('GATE-1 one that was dismissed and delivered is asked again', async () => {
    const { ledger, project } = await store.start();
    const { id } = (await asked(ledger, project)).notification;
    await ledger.notifications.resolve(project, id, { dismissed: true, reason: 'not today' }, ann);
    expect((await asked(ledger, project)).notification).toMatchObject({ id, outcome: 'declined' });
    await ledger.notifications.markDelivered(project, id, coder);
    expect((await asked(ledger, project)).existing).toBe(false);
  });

  it('GATE-2 takes one of its options and no skip; a free text may be skipped', async () => {
    const { ledger, project } = await store.start();
    const { id } = (await asked(ledger, project)).notification;
    const wrong = await refusal(ledger.notifications.resolve(project, id, answers({ passed: 'nope' }), ann));
    expect(wrong.message).toBe('passed: "nope" is not a valid answer. Answer with passed or changes.');
    const skip = { responses: [{ questionId: 'passed', skipped: true as const }] };
    const skipped = await refusal(ledger.notifications.resolve(project, id, skip, ann));
    expect(skipped.message).toBe('passed: It cannot be skipped. Answer with passed or changes.');
    const given = [
      { questionId: 'passed', answer: 'passed' },
      { questionId: 'thoughts', skipped: true as const },
    ];
    const { notification } = await ledger.notifications.resolve(project, id, { responses: given }, ann);
    expect(notification.outcome).toBe('answered');
  });

  it('LED-4 an agent cannot answer it', async () => {
    const { ledger, project } = await store.start();
    const { id } = (await asked(ledger, project)).notification;
    const error = await refusal(
      ledger.notifications.resolve(project, id, answers({ passed: 'passed' }), coder),
    );
    expect(error.code).toBe('forbidden');
  });

  describe('VAR-1 variants', () => {
    const variants = { ...gate, kind: 'variants' as const };
    const of = async (ledger: Ledger, project: string) =>
      (await asked(ledger, project, { gate: variants, questions: [...letters('A', 'B'), thoughts] }))
        .notification.id;

    it('exactly one is main, however the answers come', async () => {
      const { ledger, project } = await store.start();
      const id = await of(ledger, project);
      const say = (given: Record<string, string>, by = ann) =>
        ledger.notifications.resolve(project, id, answers(given), by);
      expect((await refusal(say({ A: 'main', B: 'main' }))).message).toBe(
        'A and B are both main: exactly one of A, B must be main.',
      );
      expect((await refusal(say({ A: 'discard', B: 'alternative' }))).details).toMatchObject({
        type: 'exactly_one_main',
      });
      await say({ A: 'main' });
      expect((await refusal(say({ B: 'main' }, bob))).details).toMatchObject({ type: 'exactly_one_main' });
      await say({ B: 'discard', thoughts: 'A is shorter' }, bob);
      expect(await ledger.notifications.get(project, id)).toMatchObject({ outcome: 'answered' });
    });

    it('what a person should look at is kept up to date while it is open, without events', async () => {
      const { ledger, project } = await store.start();
      const id = await of(ledger, project);
      const material = [
        { kind: 'diff' as const, title: 'A', text: `password is ghp_${'a'.repeat(36)}`, variant: 'A' },
      ];
      const questions = [...letters('A', 'B'), thoughts];
      const again = await asked(ledger, project, { gate: { ...variants, material }, questions });
      expect(again.notification.id).toBe(id);
      const { gate: kept } = await ledger.notifications.get(project, id);
      expect(kept?.material?.[0]?.text).toMatch(/^Secrets are replaced.*\n\npassword is \[redacted\]$/);
      expect(JSON.stringify(await ledger.events.list(project))).not.toContain('"material"');
      await ledger.notifications.resolve(
        project,
        id,
        answers({ A: 'main', B: 'discard', thoughts: 'x' }),
        ann,
      );
    });
  });
});
