import { describe, expect, test } from 'vitest';
import { answerFor, readAnswersFile } from '../../../src/plan/from-issues/questions.ts';

const read = (value: unknown) => readAnswersFile(JSON.stringify(value), 'answers.json');

describe('a file of answers (GAP-6)', () => {
  test('matches by question text, and the last of two counts', () => {
    const answers = read({
      answers: [
        { question: 'Q1', answer: 'A' },
        { question: 'Q2', answer: 'B' },
        { question: 'Q1', answer: 'C' },
      ],
    });
    expect(answerFor({ id: 'x', question: 'Q1' }, answers)?.answer).toBe('C');
    expect(answerFor({ id: 'x', question: 'Q2' }, answers)?.answer).toBe('B');
    expect(answerFor({ id: 'x', question: 'q2' }, answers)).toBeUndefined();
  });

  test('the id overrides the text, and an entry with another id does not match by its text', () => {
    const answers = read({
      answers: [
        { id: 'scope-4', question: 'Q1', answer: 'A' },
        { question: 'Q1', answer: 'B' },
      ],
    });
    expect(answerFor({ id: 'scope-4', question: 'Q1' }, answers)?.answer).toBe('A');
    expect(answerFor({ id: 'scope-5', question: 'Q1' }, answers)?.answer).toBe('B');
  });

  test('accepts partly filled-in output of --questions-only, several answers, and a byte order mark', () => {
    const document = {
      questions: [
        { id: 'a', question: 'A?', options: [], answer: ['x', 'y'] },
        { id: 'b', question: 'B?' },
        { id: 'c', answer: null },
      ],
    };
    const answers = readAnswersFile(`\ufeff${JSON.stringify(document)}`, 'f');
    expect(answers).toEqual([{ id: 'a', question: 'A?', answer: ['x', 'y'] }]);
  });

  test.each([
    ['an array', ['Q1']],
    ['an entry without a name', { answers: [{ answer: 'x' }] }],
    ['a number as answer', { answers: [{ id: 'a', answer: 1 }] }],
    ['an empty answer', { answers: [{ id: 'a', answer: '' }] }],
    ['nothing of it', { Q1: 'A' }],
  ])('%s is an error that shows the right shape', (_, value) => {
    expect(() => read(value)).toThrow(/answers\.json is not a valid answers file.*"answers":\[/);
  });

  test('the first wrong entry is named', () => {
    const wrong = {
      answers: [
        { id: 'a', answer: 'x' },
        { id: 'b', answer: 1 },
      ],
    };
    expect(() => read(wrong)).toThrow(/answers\.json is not a valid answers file \(answers\.1\.answer: /);
    expect(() => read({ questions: [{ answer: 'x' }] })).toThrow(/\(questions\.0: it needs an "id"/);
  });

  test('text that is not JSON is an error that says so', () => {
    expect(() => readAnswersFile('{', 'answers.json')).toThrow(
      /answers\.json, line 1, column 2: not valid JSON/,
    );
  });
});
