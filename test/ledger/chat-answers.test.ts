import { describe, expect, it } from 'vitest';
import { chatAnswers } from '../../src/ledger/notifications/chat-answers.ts';
import type { Notification } from '../../src/schema/notification.ts';

const at = '2026-01-01T00:00:00.000Z';
const asked = (...ids: string[]) =>
  ({
    id: 'n-1',
    sourceId: 't1',
    questions: ids.map((id) => ({ id, text: `${id}?`, createdAt: at })),
    responses: [],
  }) as unknown as Notification;
const answers = (notification: Notification, ...messages: string[]) =>
  Object.fromEntries(
    chatAnswers(notification, messages).map(({ questionId, answer }) => [questionId, answer]),
  );

describe('chat messages as answers (SEED-4)', () => {
  it.each([
    [
      'one question takes all of the text',
      ['q1'],
      ['PostgreSQL.', 'Version 16.'],
      { q1: 'PostgreSQL.\nVersion 16.' },
    ],
    ['one question may have a list as its answer', ['q1'], ['1. a\n2. b'], { q1: '1. a\n2. b' }],
    [
      'one message each, in their order',
      ['q1', 'q2'],
      ['SQLite', 'Yes,\nof course'],
      { q1: 'SQLite', q2: 'Yes,\nof course' },
    ],
    ['one line each, in their order', ['q1', 'q2'], ['SQLite\n\nYes'], { q1: 'SQLite', q2: 'Yes' }],
    [
      'numbers, in any order',
      ['q1', 'q2'],
      ['2. Yes\n   with cursors', '1) SQLite'],
      { q2: 'Yes\n   with cursors', q1: 'SQLite' },
    ],
    [
      'all of it again, after a try that did not fit',
      ['q1', 'q2'],
      ['SQLite', '1. SQLite\n2. Yes'],
      { q1: 'SQLite', q2: 'Yes' },
    ],
    [
      'a list inside an answer',
      ['q1', 'q2'],
      ['Steps:\n1. a\n2. b', 'Yes'],
      { q1: 'Steps:\n1. a\n2. b', q2: 'Yes' },
    ],
    ['ids', ['db', 'pages'], ['pages: no', 'db: SQLite'], { pages: 'no', db: 'SQLite' }],
  ])('%s', (_, ids, messages, expected) => {
    expect(answers(asked(...ids), ...messages)).toEqual(expected);
  });

  it('only what is still open needs an answer, by its number in the whole list', () => {
    const partly = asked('q1', 'q2', 'q3');
    partly.responses = [
      {
        questionId: 'q1',
        kind: 'skipped',
        by: { actor: { kind: 'person', name: 'ann' }, channel: 'rest' },
        at,
      },
    ];
    expect(answers(partly, 'No', 'Later')).toEqual({ q2: 'No', q3: 'Later' });
    expect(answers(partly, '3: Later\n2: No')).toEqual({ q2: 'No', q3: 'Later' });
  });

  it.each([
    ['too few', ['SQLite'], 'it has 2 open questions, but the chat has 1 answer since then'],
    ['too many', ['a', 'b', 'c'], 'it has 2 open questions, but the chat has 3 answers since then'],
    ['numbers beside text', ['1. a', 'and b'], 'some messages are numbered and some are not'],
    ['a number that is not there', ['1. a\n3. b'], 'it has no question 3'],
    ['a number twice', ['1. a\n1. b'], 'question "q1" is answered twice'],
    ['a number left out', ['2. b'], 'question "q1" has no answer'],
  ])('%s is refused with how to do it', (_, messages, why) => {
    expect(() => answers(asked('q1', 'q2'), ...messages)).toThrow(
      `The chat does not clearly answer n-1: ${why}. Write one message with numbered answers ("1. …", "2. …" each on its own line), or send {"responses":[{"questionId":"q1","answer":"…"}]}.`,
    );
  });

  it('an empty chat, and a question without a chat, get different errors', () => {
    expect(() => chatAnswers(asked('q1'), ['  '])).toThrow(
      'no person wrote to the chat of task t1 since the question',
    );
    expect(() => chatAnswers(asked('q1'), undefined)).toThrow(
      'No answer to n-1: the request has no body. Send {"responses"',
    );
  });
});
