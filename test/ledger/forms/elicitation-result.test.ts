import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromElicitationResult, toElicitationResult } from '../../../src/ledger/forms/elicitation-result.ts';
import { toMcpElicitation } from '../../../src/ledger/forms/elicitation-writer.ts';
import type { Question } from '../../../src/schema/question.ts';
import { cases } from '../../support/long.ts';
import { AT, answersTo, questions } from './arbitrary-questions.ts';
import { name, parts, store } from './sample-questions.ts';

describe('the result of a form', () => {
  const form = toMcpElicitation([store, parts, name]);
  const accept = (content: object) => fromElicitationResult(form, { action: 'accept', content });

  it('LED-2: accepted contains the answers: a choice, a choice with a note, own words, several', () => {
    expect(
      accept({ store: 'SQLite', store_other: 'one file', parts: ['Logs'], parts_other: 'Costs', name: 'x' }),
    ).toEqual({
      responses: [
        { questionId: 'store', answer: 'SQLite', note: 'one file' },
        { questionId: 'parts', answer: ['Logs', 'Costs'] },
        { questionId: 'name', answer: 'x' },
      ],
    });
    expect(accept({ store_other: 'files', parts_other: 'a, b' })).toEqual({
      responses: [
        { questionId: 'store', answer: 'files' },
        { questionId: 'parts', answer: ['a', 'b'] },
      ],
    });
  });

  it('LED-2: declined dismisses with a reason, cancelled or left empty is not an answer', () => {
    expect(fromElicitationResult(form, { action: 'decline' })).toEqual({
      dismissed: true,
      reason: 'Declined in the form.',
    });
    expect(fromElicitationResult(form, { action: 'cancel' })).toBeUndefined();
    expect(fromElicitationResult(form, { action: 'accept', content: null })).toBeUndefined();
    expect(accept({ store: '', store_other: ' ', parts: [], name: null })).toBeUndefined();
  });

  it('LED-2: no answer cancels it, dismissing everything declines it with the reason, and both can be read back', () => {
    expect(toElicitationResult(form, { responses: [] })).toEqual({ action: 'cancel' });
    const reason = 'Not now.';
    const responses = ['store', 'parts', 'name'].map((questionId) => ({
      questionId,
      dismissed: true as const,
      reason,
    }));
    const declined = toElicitationResult(form, { responses });
    expect(declined).toMatchObject({ action: 'decline' });
    expect(fromElicitationResult(form, declined)).toEqual({ dismissed: true, reason });
  });

  it('LED-2: for a required field, silence cancels and skipping declines; other fields may be skipped or dismissed', () => {
    const chosen = { questionId: 'store', answer: 'SQLite' };
    expect(toElicitationResult(form, { responses: [chosen] })).toEqual({ action: 'cancel' });
    const skipped = { questionId: 'name', skipped: true as const };
    expect(toElicitationResult(form, { responses: [chosen, skipped] })).toEqual({ action: 'decline' });
    const responses = [
      { questionId: 'store', skipped: true as const },
      { questionId: 'parts', dismissed: true as const, reason: 'No.' },
      { questionId: 'name', answer: 'x' },
    ];
    const result = toElicitationResult(form, { responses });
    expect(result).toMatchObject({ action: 'accept', content: { name: 'x' } });
    expect(fromElicitationResult(form, result)).toEqual({ responses });
  });

  it('LED-2: any answers to any questions are the same when they are read back', () => {
    fc.assert(
      fc.property(
        questions.chain((asked) => fc.tuple(fc.constant(asked), answersTo(asked))),
        ([asked, responses]) => {
          const form = JSON.parse(JSON.stringify(toMcpElicitation(asked)));
          const result = JSON.parse(
            JSON.stringify(toElicitationResult(form, { questions: asked, responses })),
          );
          expect(result.action).toBe('accept');
          const read = fromElicitationResult(form, result);
          expect(sorted(read)).toEqual(sorted({ responses }));
        },
      ),
      { numRuns: cases(200) },
    );
  });

  it('LED-2: names the intended choice if the stored label was redacted', () => {
    const secret = 'Use sk-ant-0123456789abcdef';
    const form = toMcpElicitation([
      { id: 'q1', text: 'Key?', createdAt: AT, options: [{ label: secret }, { label: 'None' }] },
    ]);
    const stored: Question = {
      id: 'q1',
      text: 'Key?',
      createdAt: AT,
      options: [{ label: 'Use [redacted]' }, { label: 'None' }],
    };
    const responses = [{ questionId: 'q1', answer: 'Use [redacted]' }];
    expect(toElicitationResult(form, { questions: [stored], responses }).content).toEqual({ q1: secret });
  });
});

/** With several picks, those in the form's own list come first; the order has no meaning. */
function sorted(input: unknown): unknown {
  return JSON.parse(JSON.stringify(input), (key, value) =>
    key === 'answer' && Array.isArray(value) ? value.sort() : value,
  );
}
