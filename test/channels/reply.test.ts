import { describe, expect, test } from 'vitest';
import { fillBlank, readReply } from '../../src/channels/reply.ts';
import type { Question } from '../../src/schema/question.ts';

const question = (fields: Partial<Question> = {}): Question => ({
  id: 'q1',
  text: 'Which?',
  createdAt: '2026',
  ...fields,
});
const options = [{ id: 'pg', label: 'PostgreSQL' }, { label: 'SQLite' }, { label: 'Other, later' }];

describe('CHAN-1 a line typed by a person', () => {
  test.each([
    ['2', 'SQLite'],
    [' sqlite ', 'SQLite'],
    ['PG', 'PostgreSQL'],
    ['MongoDB', 'MongoDB'],
    ['=2', '2'],
    ['=skip', 'skip'],
    ['=', '='],
  ])('picks one option or gives one text: %j', (line, answer) => {
    expect(readReply(line, question({ options }), 'question')).toEqual({ kind: 'answer', answer });
  });

  test.each([
    ['1,2', ['PostgreSQL', 'SQLite']],
    ['1 2 1', ['PostgreSQL', 'SQLite']],
    ['sqlite, pg', ['SQLite', 'PostgreSQL']],
    ['Other, later', ['Other, later']],
    ['2, something else', ['SQLite', 'something else']],
    ['neither, of them', ['neither, of them']],
  ])('picks several if the question allows it: %j', (line, answer) => {
    expect(readReply(line, question({ options, multi: true }), 'question')).toEqual({
      kind: 'answer',
      answer,
    });
  });

  test.each([
    ['100', '100'],
    ['50', '50'],
    ['1', '50'],
    ['2', '3'],
    ['3', '3'],
  ])('an option that is a number itself is named by it, before any position: %j', (line, answer) => {
    const limits = question({ options: [{ label: '50' }, { label: '3' }, { label: '100' }] });
    expect(readReply(line, limits, 'question')).toEqual({ kind: 'answer', answer });
    const several = { kind: 'answer', answer: [answer] };
    expect(readReply(line, { ...limits, multi: true }, 'question')).toEqual(several);
  });

  test('skips in any case, unless an option is called that', () => {
    expect(readReply('SKIP', question({ options }), 'question')).toEqual({ kind: 'skip' });
    const named = question({ options: [{ label: 'Skip' }, { label: 'Run' }] });
    expect(readReply('skip', named, 'question')).toEqual({ kind: 'answer', answer: 'Skip' });
  });

  test('an empty line takes the recommended answer; without one it is not an answer', () => {
    expect(readReply('', question({ options, recommended: 'SQLite' }), 'question')).toEqual({
      kind: 'answer',
      answer: 'SQLite',
    });
    expect(readReply('  ', question({ options }), 'question').kind).toBe('unclear');
  });

  test.each(['PostgreSLQ', 'SQLlite', 'postgresqll'])(
    'a likely typo is confirmed before it is sent: %j',
    (line) => {
      for (const multi of [false, true]) {
        const reply = readReply(line, question({ options, multi }), 'question');
        expect(reply).toEqual({
          kind: 'unclear',
          message: expect.stringMatching(/^"\w+" is not one.*type =\w+\.$/),
        });
        const meant = readReply(`=${line}`, question({ options, multi }), 'question');
        expect(meant).toEqual({ kind: 'answer', answer: multi ? [line] : line });
      }
    },
  );

  test('a prefix of one option picks it; a prefix of several is asked about (BIND-5)', () => {
    const databases = question({ options: [...options, { label: 'Postgres (hosted)' }] });
    expect(readReply('sq', databases, 'question')).toEqual({ kind: 'answer', answer: 'SQLite' });
    expect(readReply('postgresq', databases, 'question')).toEqual({ kind: 'answer', answer: 'PostgreSQL' });
    expect(readReply('Post', databases, 'question')).toEqual({
      kind: 'unclear',
      message: '"Post" matches "PostgreSQL", "Postgres (hosted)". Type more of the name, or its number.',
    });
    expect(readReply('=Post', databases, 'question')).toEqual({ kind: 'answer', answer: 'Post' });
    const several = readReply('sq, other', question({ options, multi: true }), 'question');
    expect(several).toEqual({ kind: 'answer', answer: ['SQLite', 'Other, later'] });
    const gate = question({ options: [{ label: 'approve' }, { label: 'reject' }] });
    expect(readReply('rej', gate, 'gate')).toEqual({ kind: 'answer', answer: 'reject' });
  });

  test.each(['question', 'gate', 'approval', 'permission'] as const)(
    'a question mark asks for help and is never an answer (%s, BIND-5)',
    (source) => {
      for (const line of ['?', ' ? ', '??', '=?']) {
        for (const fields of [{}, { options }, { options, multi: true }]) {
          const reply = readReply(line, question(fields), source);
          expect(reply).toEqual({ kind: 'unclear', message: expect.stringContaining('You can type: ') });
        }
      }
    },
  );

  test('"back" goes back, unless an option is called that (BIND-5)', () => {
    expect(readReply('Back', question({ options }), 'question').kind).toBe('back');
    expect(readReply('=back', question({ options }), 'question')).toEqual({ kind: 'answer', answer: 'back' });
    const named = question({ options: [{ label: 'Back' }, { label: 'Forth' }] });
    expect(readReply('back', named, 'question')).toEqual({ kind: 'answer', answer: 'Back' });
  });

  test.each([
    ['Python 3.12', ['Python 3.11']],
    ['Go', ['No', 'Yes']],
    ['It happens only in one environment: Opera', ['It happens only in one environment: …']],
  ])('%j is a valid answer', (line, labels) => {
    const own = question({ options: labels.map((label) => ({ label })) });
    expect(readReply(line, own, 'question')).toEqual({ kind: 'answer', answer: line });
  });

  test('a gate needs a decision, but no remark', () => {
    expect(readReply('', question(), 'gate')).toEqual({ kind: 'skip' });
    expect(readReply('', question({ options }), 'gate').kind).toBe('unclear');
  });

  test('a number without an option is asked about, not taken as text', () => {
    const reply = readReply('7', question({ options }), 'question');
    expect(reply).toEqual({ kind: 'unclear', message: expect.stringContaining('1 to 3') });
    expect(readReply('7', question(), 'question')).toEqual({ kind: 'answer', answer: '7' });
  });

  test('an option with a blank needs its text', () => {
    const blank = question({
      options: [{ label: 'Only here: …' }, { label: 'Saving…' }],
      recommended: 'Only here: …',
    });
    const begun = readReply('1', blank, 'question');
    if (begun.kind !== 'blank') throw new Error(`It is ${begun.kind}.`);
    expect(begun.message).toContain('"Only here: …" has a blank');
    expect(readReply('', blank, 'question')).toEqual(begun);
    expect(readReply('only HERE: …', blank, 'question')).toEqual(begun);
    const whole = { kind: 'answer', answer: 'Only here: Firefox' };
    expect(fillBlank(begun, ' Firefox ', blank)).toEqual(whole);
    expect(fillBlank(begun, 'Only here: Firefox', blank)).toEqual(whole);
    expect(readReply('Only here: Firefox', blank, 'question')).toEqual(whole);
    expect(fillBlank(begun, ' ', blank).kind).toBe('unclear');
    expect(fillBlank(begun, '…', blank).kind, 'nothing was filled in').toBe('blank');
    expect(readReply('2', blank, 'question')).toEqual({ kind: 'answer', answer: 'Saving…' });
  });

  test('with several picks, each blank is filled in', () => {
    const several = question({
      multi: true,
      options: [{ label: 'A: …' }, { label: 'B: …' }, { label: 'C' }],
    });
    const first = readReply('1,2,3', several, 'question');
    const second = first.kind === 'blank' ? fillBlank(first, 'one', several) : first;
    expect(second).toMatchObject({ kind: 'blank', label: 'B: …' });
    const done = second.kind === 'blank' ? fillBlank(second, 'two', several) : second;
    expect(done).toEqual({ kind: 'answer', answer: ['A: one', 'B: two', 'C'] });
  });

  test('an approval is approved or rejected, nothing else', () => {
    const approval = question({
      options: [
        { id: 'approve', label: 'Approve' },
        { id: 'reject', label: 'Reject' },
      ],
    });
    expect(readReply('y', approval, 'approval')).toEqual({ kind: 'answer', answer: 'Approve' });
    expect(readReply('no', approval, 'approval')).toEqual({ kind: 'answer', answer: 'Reject' });
    expect(readReply('perhaps', approval, 'approval').kind).toBe('unclear');
    expect(readReply('=perhaps', approval, 'approval').kind).toBe('unclear');
  });
});
