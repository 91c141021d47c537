import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeQuestions } from '../../src/ledger/notifications/questions.ts';
import { FermataError } from '../../src/schema/error.ts';
import { Question } from '../../src/schema/question.ts';
import { cases } from '../support/long.ts';

const AT = '2026-01-01T00:00:00.000Z';
const id = fc.oneof(
  fc.constantFrom('a', ' a ', 'q1', 'q2', 'a-2', '', '\0'),
  fc.string(),
  fc.integer(),
  fc.string({ minLength: 150, maxLength: 260 }),
);
const option = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.record({ id: fc.string(), label: fc.string(), description: fc.string() }, { requiredKeys: ['label'] }),
);
/** Nearly a question: each field may be missing, right or anything. */
const entry = fc.oneof(
  fc.jsonValue(),
  fc.string(),
  fc.record(
    {
      id: fc.oneof(id, fc.jsonValue()),
      text: fc.oneof(fc.string(), fc.jsonValue()),
      question: fc.string(),
      createdAt: fc.oneof(
        fc.date({ noInvalidDate: true }).map((d) => d.toISOString()),
        fc.string(),
        fc.jsonValue(),
      ),
      header: fc.oneof(fc.string({ maxLength: 300 }), fc.jsonValue()),
      options: fc.oneof(fc.array(option, { maxLength: 5 }), fc.jsonValue()),
      multi: fc.oneof(fc.boolean(), fc.jsonValue()),
      recommended: fc.oneof(fc.string(), fc.array(fc.string()), fc.jsonValue()),
      context: fc.oneof(fc.string(), fc.jsonValue()),
      category: fc.oneof(fc.constantFrom('scope', 'architecture', 'dependency'), fc.jsonValue()),
    },
    { requiredKeys: [] },
  ),
);

describe('questions from anything that an agent may write', () => {
  it('LED-2 become valid questions with unique ids, or are dropped, or are refused with a Fermata error', () => {
    let kept = 0;
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
        const result = attempt(entries);
        if (!result) return;
        const { questions, dropped } = result;
        kept += questions.length;
        const entriesDropped = dropped.filter(({ reason }) => !reason.includes('option'));
        expect(questions.length + entriesDropped.length).toBe(entries.length);
        expect(new Set(questions.map((q) => q.id)).size).toBe(questions.length);
        for (const question of questions) {
          expect(Question.safeParse(question).success).toBe(true);
          expect(question.text).toBe(question.text.trim());
        }
        expect(normalizeQuestions(questions, 'later')).toEqual({ questions, dropped: [] });
      }),
      { numRuns: cases(2000) },
    );
    expect(kept).toBeGreaterThan(100);
  });
});

function attempt(entries: unknown[]) {
  try {
    return normalizeQuestions(entries, AT);
  } catch (error) {
    if (error instanceof FermataError && error.code === 'invalid') return undefined;
    throw error;
  }
}
