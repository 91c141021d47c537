import fc from 'fast-check';
import { normalizeQuestions } from '../../../src/ledger/notifications/questions.ts';
import type { ResponseInput } from '../../../src/schema/notification.ts';
import type { Question } from '../../../src/schema/question.ts';

export const AT = '2026-03-01T09:00:00.000Z';

const nasty = [
  '__proto__',
  'toString',
  'a',
  'a_other',
  'a_other_',
  'a_note',
  'question_0',
  '10',
  '9',
  'Other',
  ', ',
  '"',
  'x, y',
  'Rust — fast',
  'Rust (Recommended)',
  'None of the above',
  'instead',
  'Please answer.',
];

/** A trimmed, non-empty text, as the ledger stores it. */
export const words = fc
  .oneof(fc.constantFrom(...nasty), fc.string({ unit: 'grapheme', maxLength: 30 }), fc.lorem({ maxCount: 6 }))
  .map((text) => text.trim())
  .filter((text) => text !== '');
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const answer = fc.oneof(words, fc.array(words, { minLength: 1, maxLength: 3 }));

const option = fc.record({
  id: maybe(words),
  label: words,
  description: maybe(fc.oneof(words, fc.constant(''))),
  preview: maybe(words),
});

const entry = fc.record({
  id: maybe(words),
  text: words,
  createdAt: maybe(fc.constant('2026-02-28T12:00:00.000Z')),
  header: maybe(words),
  options: maybe(fc.array(option, { maxLength: 5 })),
  multi: fc.boolean(),
  recommended: maybe(answer),
  context: maybe(words),
  category: maybe(fc.constantFrom('scope', 'architecture', 'dependency')),
});

/** Any questions that the ledger can hold, as normalized, stored and read back. */
export const questions: fc.Arbitrary<Question[]> = fc
  .tuple(fc.array(entry, { minLength: 1, maxLength: 5 }), maybe(answer))
  .map(([entries, decided]) => {
    const earlier = decided ? { earlier: { decisionId: 'd-1', answer: decided, by: 'ann', at: AT } } : {};
    const [first, ...rest] = normalizeQuestions(entries, AT).questions;
    return JSON.parse(JSON.stringify([{ ...first, ...earlier }, ...rest]));
  });

/** Answers to all of the questions: options, own words, several if allowed, with and without a note. */
export function answersTo(asked: Question[]): fc.Arbitrary<ResponseInput[]> {
  return fc.tuple(...asked.map(answerTo));
}

function answerTo(question: Question): fc.Arbitrary<ResponseInput> {
  const labels = (question.options ?? []).map((o) => o.label);
  const value = labels.length > 0 ? fc.oneof(fc.constantFrom(...labels), words) : words;
  const values = fc.uniqueArray(value, { minLength: 1, maxLength: 4 });
  const said: fc.Arbitrary<string | string[]> = question.multi ? values : value;
  return fc
    .record({ answer: said, note: maybe(words) })
    .map(({ answer, note }) => ({ questionId: question.id, answer, ...(note ? { note } : {}) }));
}
