import { describe, expect, it } from 'vitest';
import type { ResolveInput } from '../../src/schema/notification.ts';
import { answers, ask, history, lastEvent, refusal } from './support/ask.ts';
import { ann, bob, coder } from './support/people.ts';
import { eachStore } from './support/stores.ts';

const three = [
  { id: 'a', text: 'A?' },
  { id: 'b', text: 'B?' },
  { id: 'c', text: 'C?' },
];

describe('one answer', () => {
  eachStore((store) => {
    it('LED-4 the same answer again is accepted, by anybody, and changes nothing', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      const first = await ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), ann);
      const again = await ledger.notifications.resolve(project, id, answers({ q1: ' SQLite ' }), bob);
      expect(again).toEqual({ repeat: true, notification: first.notification });
      expect(await lastEvent(ledger, project)).toBe(2);
    });

    it('LED-4 a different second answer is refused, and the error says who won, with what and when', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      const { notification } = await ledger.notifications.resolve(
        project,
        id,
        answers({ q1: 'SQLite' }),
        ann,
      );
      const error = await refusal(ledger.notifications.resolve(project, id, answers({ q1: 'MySQL' }), bob));
      expect(error.code).toBe('conflict');
      expect(error.message).toContain(`ann (terminal) at ${notification.resolvedAt}: SQLite.`);
      expect(error.details).toMatchObject({
        by: ann,
        at: notification.resolvedAt,
        outcome: 'answered',
        responses: [{ questionId: 'q1', answer: 'SQLite' }],
      });
      expect(await ledger.notifications.get(project, id)).toEqual(notification);
    });

    it('LED-4 if there were several questions, it says by their texts which got what', async () => {
      const { ledger, project } = await store.start();
      const long = `Which of ${'many '.repeat(20)}?`;
      const { id } = await ask(ledger, project, { questions: ['Which database?', { text: long }] });
      const responses = [
        { questionId: 'q1', answer: 'SQLite' },
        { questionId: 'q2', skipped: true as const },
      ];
      await ledger.notifications.resolve(project, id, { responses }, ann);
      const error = await refusal(ledger.notifications.resolve(project, id, answers({ q1: 'MySQL' }), bob));
      expect(error.message).toMatch(/: "Which database\?" SQLite; "Which of (many )+.*…" skipped\.$/);
    });

    it('LED-4 if many answer at once, one wins, and all others learn which', async () => {
      const { ledger, project } = await store.start();
      const others = await store.open();
      const { id } = await ask(ledger, project);
      const tries = Array.from({ length: 20 }, (_, n) =>
        (n % 2 ? ledger : others).notifications.resolve(project, id, answers({ q1: `choice ${n}` }), ann),
      );
      const results = await Promise.allSettled(tries);
      const won = results.filter((r) => r.status === 'fulfilled');
      expect(won.map((r) => r.value.repeat)).toEqual([false]);
      const [response] = won[0]?.value.notification.responses ?? [];
      for (const lost of results.filter((r) => r.status === 'rejected')) {
        expect(lost.reason).toMatchObject({ code: 'conflict', details: { responses: [response] } });
      }
      expect(await lastEvent(ledger, project)).toBe(2);
    });

    it('LED-4 several picks are the same in any order, by label or by option id', async () => {
      const { ledger, project } = await store.start();
      const options = [{ id: 'x', label: 'Export' }, { id: 'y', label: 'Import' }, 'Sync'];
      const { id } = await ask(ledger, project, {
        questions: [{ id: 'q1', text: 'What?', options, multi: true }],
      });
      const { notification } = await ledger.notifications.resolve(
        project,
        id,
        answers({ q1: ['Import', 'x', 'Import'] }),
        ann,
      );
      expect(notification.responses[0]).toMatchObject({ answer: ['Import', 'Export'] });
      const again = ledger.notifications.resolve(project, id, answers({ q1: ['Export', 'y'] }), bob);
      expect(await again).toMatchObject({ repeat: true });
      const fewer = ledger.notifications.resolve(project, id, answers({ q1: 'Export' }), bob);
      expect(await refusal(fewer)).toMatchObject({ code: 'conflict' });
    });

    it('LED-4 an unknown id is not found', async () => {
      const { ledger, project } = await store.start();
      const attempt = ledger.notifications.resolve(project, 'n-0', answers({ q1: 'x' }), ann);
      expect(await refusal(attempt)).toMatchObject({ code: 'not_found' });
      expect(await refusal(ledger.notifications.get(project, 'n-0'))).toMatchObject({ code: 'not_found' });
    });

    it('LED-4 an id of another project is not found, and its question stays open', async () => {
      const { ledger, project } = await store.start();
      const other = await store.project(ledger);
      const { id } = await ask(ledger, project);
      const wrong = await Promise.all(
        [
          ledger.notifications.get(other, id),
          ledger.notifications.resolve(other, id, answers({ q1: 'x' }), ann),
          ledger.notifications.withdraw(other, id, 'gone', ann),
          ledger.notifications.markDelivered(other, id, coder),
        ].map(refusal),
      );
      for (const refused of wrong) expect(refused).toMatchObject({ code: 'not_found' });
      expect((await ledger.notifications.get(project, id)).status).toBe('open');
    });

    it('LED-4 a part of the answers is stored and the rest stays open', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { questions: three });
      const part = await ledger.notifications.resolve(project, id, answers({ b: 'two' }), ann);
      expect(part.notification).toMatchObject({
        status: 'open',
        responses: [{ questionId: 'b', answer: 'two' }],
      });
      expect((await history(ledger, project)).at(-1)).toMatchObject({
        type: 'notification.updated',
        by: ann,
      });
      const rest: ResolveInput = {
        responses: [
          { questionId: 'a', skipped: true },
          { questionId: 'c', dismissed: true, reason: 'silly' },
        ],
      };
      const whole = await ledger.notifications.resolve(project, id, rest, bob);
      expect(whole.notification).toMatchObject({
        status: 'answered',
        resolvedBy: bob,
        responses: [
          { questionId: 'b', kind: 'answered', by: ann },
          { questionId: 'a', kind: 'skipped', by: bob },
          { questionId: 'c', kind: 'dismissed', reason: 'silly', by: bob },
        ],
      });
    });

    it('LED-4 a different answer to one of several questions is refused with the winner of that one', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { questions: three });
      await ledger.notifications.resolve(project, id, answers({ a: 'one' }), ann);
      await ledger.notifications.resolve(project, id, answers({ b: 'two' }), bob);
      const open = await refusal(ledger.notifications.resolve(project, id, answers({ a: 'other' }), bob));
      expect(open).toMatchObject({ code: 'conflict', details: { by: ann } });
      expect(open.message).toContain('ann (terminal)');
      await ledger.notifications.resolve(project, id, answers({ c: 'three' }), bob);
      const settled = await refusal(ledger.notifications.resolve(project, id, answers({ a: 'other' }), bob));
      expect(settled).toMatchObject({ code: 'conflict', details: { by: ann } });
    });

    it('LED-4 if one of several answers is refused, none of the request is stored', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { questions: three });
      await ledger.notifications.resolve(project, id, answers({ a: 'one' }), ann);
      const mixed = ledger.notifications.resolve(project, id, answers({ b: 'two', a: 'other' }), bob);
      expect(await refusal(mixed)).toMatchObject({ code: 'conflict' });
      expect((await ledger.notifications.get(project, id)).responses).toHaveLength(1);
    });

    it('LED-4 a person who dismisses the rest leaves the answers that were given', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { questions: three });
      await ledger.notifications.resolve(project, id, answers({ a: 'one' }), ann);
      const { notification } = await ledger.notifications.resolve(
        project,
        id,
        { dismissed: true, reason: 'enough' },
        bob,
      );
      expect(notification).toMatchObject({ status: 'declined', reason: 'enough' });
      expect(notification.responses.map((r) => r.kind)).toEqual(['answered', 'dismissed', 'dismissed']);
    });

    it.each<[string, ResolveInput, RegExp]>([
      ['an unknown question', answers({ zz: 'x' }), /no question "zz"\. Its questions are: a, b, c\./],
      [
        'two answers to one question',
        {
          responses: [
            { questionId: 'a', answer: 'x' },
            { questionId: 'a', answer: 'y' },
          ],
        },
        /"a" is answered twice/,
      ],
      ['a blank answer', answers({ a: '  ' }), /"a" is empty\. Give a value, or skip/],
      [
        'several picks where one is allowed',
        answers({ a: ['x', 'y'] }),
        /"a" takes one answer, but 2 were given/,
      ],
      [
        'an approval of what is not an approval',
        { approved: true },
        /is not an approval\. Answer its questions: a, b, c/,
      ],
      ['an empty list', { responses: [] }, /Answer/],
      ['an empty body', {} as ResolveInput, /Answer/],
    ])('LED-4 %s is refused, and nothing is stored', async (_, input, sentence) => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project, { questions: three });
      const error = await refusal(ledger.notifications.resolve(project, id, input, ann));
      expect(error).toMatchObject({ code: 'invalid', message: expect.stringMatching(sentence) });
      expect(await lastEvent(ledger, project)).toBe(1);
    });

    it('LED-4 an agent may not answer, not even its own question', async () => {
      const { ledger, project } = await store.start();
      const { id } = await ask(ledger, project);
      const attempt = ledger.notifications.resolve(project, id, answers({ q1: 'SQLite' }), coder);
      expect(await refusal(attempt)).toMatchObject({ code: 'forbidden' });
      expect((await ledger.notifications.get(project, id)).status).toBe('open');
    });
  });
});
