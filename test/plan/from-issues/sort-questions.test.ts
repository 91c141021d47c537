import { describe, expect, test } from 'vitest';
import type { PlannedQuestion } from '../../../src/issues/questions/plan-questions.ts';
import { type Known, sortQuestions } from '../../../src/plan/from-issues/questions.ts';
import type { Decision } from '../../../src/schema/decision.ts';

const planned = (id: string): PlannedQuestion => ({
  id,
  gap_type: 'scope',
  covers: ['scope'],
  severity: 'warning',
  question: `${id}?`,
  context: '',
  issues: [1],
  options: [],
  assumed: 'nothing',
  rank: id.charCodeAt(0),
});
const decision: Decision = {
  id: 'd-1',
  projectId: 'p',
  question: 'b?',
  answer: 'before',
  note: null,
  source: 'gap',
  sourceId: 'x',
  notificationId: 'n-1',
  by: { actor: { kind: 'person', name: 'ann' }, channel: 'web' },
  at: '2026-01-31T10:00:00.000Z',
  standing: false,
  replacedBy: null,
};
const nothing: Known = { answers: [], settled: new Set(), decisions: new Map() };
const questions = ['a', 'b', 'c', 'd'].map(planned);
const asked = (known: Partial<Known>, most: number) => {
  const { toAsk, resolved } = sortQuestions(questions, { ...nothing, ...known }, most);
  return {
    toAsk: toAsk.map(({ question, given }) => (given ? [question.id, given.answer] : question.id)),
    resolved: resolved.map(({ question, resolution }) => [question.id, resolution.kind]),
  };
};

describe('which questions are asked, and in which order (GAP-4, GAP-5)', () => {
  test('the first ones within the budget are asked; the others are assumed with the reason', () => {
    const { resolved } = sortQuestions(questions, nothing, 3);
    expect(asked({}, 3)).toEqual({ toAsk: ['a', 'b', 'c'], resolved: [['d', 'assumed']] });
    expect(resolved[0]?.resolution).toMatchObject({ reason: expect.stringMatching(/only 3 questions/) });
  });

  test('decisions and answers from a file do not use up the budget, and an answer not used yet counts', () => {
    const known = {
      decisions: new Map([['b', decision]]),
      settled: new Set(['c?']),
      answers: [{ id: 'd', question: undefined, answer: 'from the file' }],
    };
    expect(asked(known, 2)).toEqual({
      toAsk: ['a', 'c', ['d', 'from the file']],
      resolved: [['b', 'decided']],
    });
    expect(asked(known, 1)).toEqual({
      toAsk: ['c', ['d', 'from the file']],
      resolved: [
        ['a', 'assumed'],
        ['b', 'decided'],
      ],
    });
  });

  test('a file overrides a decision', () => {
    const answers = [{ id: undefined, question: 'b?', answer: 'now' }];
    expect(asked({ decisions: new Map([['b', decision]]), answers }, 0).toAsk).toEqual([['b', 'now']]);
    const same = [{ id: 'b', question: undefined, answer: ' before ' }];
    expect(asked({ decisions: new Map([['b', decision]]), answers: same }, 0).toAsk).toEqual([]);
  });
});
