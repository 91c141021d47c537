import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replyOf } from '../../../src/channels/pipe/answer-line.ts';
import { asOffered, offeredOptions } from '../../../src/ledger/forms/offered-options.ts';
import { normalizeQuestions } from '../../../src/ledger/notifications/questions.ts';
import { endsInBlank } from '../../../src/schema/blank.ts';

function question(labels: string[], recommended?: string) {
  const [asked] = normalizeQuestions([{ text: 'Which?', options: labels, recommended }], '').questions;
  if (!asked) throw new Error('no question');
  return asked;
}

const labels = (options: { label: string }[]) => options.map(({ label }) => label);

describe('options that another program shows for Fermata (BIND-17)', () => {
  it.each([
    ['two to four stay', ['A', 'B', 'C'], undefined, ['A', 'B', 'C'], []],
    ['the first four of more', ['A', 'B', 'C', 'D', 'E'], undefined, ['A', 'B', 'C', 'D'], ['E']],
    ['the recommended one among them', ['A', 'B', 'C', 'D', 'E'], 'E', ['A', 'B', 'C', 'E'], ['D']],
    ['none with a blank', ['A', 'With these: …', 'B'], undefined, ['A', 'B'], []],
    ['one alone is no choice', ['A', 'With these: …'], undefined, [], ['A']],
    ['the same twice is one', ['A', 'A', 'B'], undefined, ['A', 'B'], []],
  ])('%s', (_, given, recommended, offered, left) => {
    const result = offeredOptions(question(given, recommended));
    expect([labels(result.offered), labels(result.left)]).toEqual([offered, left]);
  });

  it('options that are not offered are named in the context', () => {
    expect(asOffered(question(['A', 'B', 'C', 'D', 'E']))).toMatchObject({ context: 'Also possible: E' });
    expect(asOffered(question(['A']))).not.toHaveProperty('options');
  });

  it('whatever the options are, two to four or none are offered, and each is accepted when it is sent back', () => {
    const label = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('skip', ' Skip', 'Yes', 'yes', 'With: …'),
    );
    fc.assert(
      fc.property(fc.array(label, { maxLength: 12 }), (given) => {
        const options = labels(offeredOptions(question(given)).offered);
        expect([0, 2, 3, 4]).toContain(options.length);
        for (const option of options) {
          expect(endsInBlank(option)).toBe(false);
          const reply = replyOf({ options }, { type: 'answer', gap_type: 'general', answer: option });
          expect(reply).toEqual({ kind: 'answer', answer: option });
        }
      }),
    );
  });
});
