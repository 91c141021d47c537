import { describe, expect, it } from 'vitest';
import { normalizeQuestions } from '../../src/ledger/notifications/questions.ts';
import { FermataError } from '../../src/schema/error.ts';
import { limits } from '../../src/schema/limits.ts';

const AT = '2026-05-06T07:08:09.000Z';
const normal = (...entries: unknown[]) => normalizeQuestions(entries, AT);
const ids = (...entries: unknown[]) => normal(...entries).questions.map((q) => q.id);
const first = (entry: unknown) => normal(entry).questions[0];

describe('the id of a question', () => {
  it('LED-2 is kept, trimmed, and a number becomes text', () => {
    expect(ids({ id: '  a ', text: 'A?' }, { id: 7, text: 'B?' })).toEqual(['a', '7']);
  });

  it('LED-2 is its position among the questions if it is missing or blank', () => {
    expect(ids('A?', null, { id: '  ', text: 'B?' }, { id: {}, text: 'C?' })).toEqual(['q1', 'q2', 'q3']);
  });

  it('LED-2 is made unique if it is repeated, and the first keeps it', () => {
    expect(ids({ id: 'x', text: 'A?' }, { id: 'x', text: 'B?' }, { id: ' x', text: 'C?' })).toEqual([
      'x',
      'x-2',
      'x-3',
    ]);
  });

  it('LED-2 stays the same when a question is read again, unless another one has it', () => {
    const [asked] = normal({ id: 'x', text: 'A?', options: ['yes', 'no'] }).questions;
    expect(normal(asked).questions[0]).toBe(asked);
    expect(normal({ id: 'x', text: 'B?' }, asked).questions).toMatchObject([
      { id: 'x', text: 'B?' },
      { id: 'x-2', text: 'A?', options: [{ label: 'yes' }, { label: 'no' }] },
    ]);
  });

  it('LED-2 is never one that a later question has', () => {
    expect(ids('A?', { id: 'q1', text: 'B?' })).toEqual(['q2', 'q1']);
    expect(ids({ id: 'x', text: 'A?' }, { id: 'x', text: 'B?' }, { id: 'x-2', text: 'C?' })).toEqual([
      'x',
      'x-3',
      'x-2',
    ]);
  });

  it('LED-2 is cut if it is too long, and stays unique', () => {
    const long = 'x'.repeat(500);
    const cut = ids({ id: long, text: 'A?' }, { id: long, text: 'B?' }, { id: `${long}y`, text: 'C?' });
    expect(new Set(cut).size).toBe(3);
    for (const id of cut) expect(id.length).toBeLessThanOrEqual(limits.id);
  });
});

describe('the text of a question', () => {
  it('LED-2 may be a plain string, "text" or "question", and is trimmed', () => {
    const { questions } = normal('  A? ', { text: ' B?\n' }, { question: ' C? ' });
    expect(questions.map((q) => q.text)).toEqual(['A?', 'B?', 'C?']);
  });

  it('LED-2 is "text" if both are given, and "question" if "text" is blank', () => {
    expect(first({ text: 'A?', question: 'B?' })?.text).toBe('A?');
    expect(first({ text: ' ', question: 'B?' })?.text).toBe('B?');
  });

  it('LED-2 is required: entries without one are dropped and reported in order', () => {
    const entries = [{ id: 'a' }, '', ' \n', { text: 7 }, null, 42, [], { text: '' }];
    const { questions, dropped } = normal(...entries);
    expect(questions).toEqual([]);
    expect(dropped.map((d) => d.value)).toEqual(entries);
    expect(new Set(dropped.map((d) => d.reason))).toEqual(
      new Set(['no text', 'not a question (expected an object or a string)']),
    );
  });
});

describe('the time of a question', () => {
  it.each(['2020-01-02T03:04:05Z', '2020-01-02T03:04:05.678+02:00', '2020-01-02', '2020'])(
    'LED-2 %s is kept as it is',
    (createdAt) => expect(first({ text: 'A?', createdAt })?.createdAt).toBe(createdAt),
  );

  it.each([undefined, null, 5, '', 'yesterday', 'March 7', '1', '2020-13-45', '2020-01-02T99:00:00Z'])(
    'LED-2 %s is not a time in ISO 8601, so the time of asking is set',
    (createdAt) => expect(first({ text: 'A?', createdAt })?.createdAt).toBe(AT),
  );
});

describe('the rest of a question', () => {
  it('LED-2 options may be objects, texts or numbers, and labels are trimmed', () => {
    const options = [{ id: 'a', label: ' A ', description: 'pro and con', preview: '<b>' }, 'B', 3];
    expect(first({ text: 'A?', options })?.options).toEqual([
      { id: 'a', label: 'A', description: 'pro and con', preview: '<b>' },
      { label: 'B' },
      { label: '3' },
    ]);
  });

  it('LED-2 an option without a label shows its id; one without both is dropped and reported, and the question is still asked', () => {
    const options = [
      { id: 1, label: 'B', description: null, preview: 5 },
      { id: 'c' },
      ' ',
      null,
      { label: '' },
    ];
    const { questions, dropped } = normalizeQuestions([{ text: 'A?', options }], AT);
    expect(questions[0]?.options).toEqual([
      { id: '1', label: 'B' },
      { id: 'c', label: 'c' },
    ]);
    expect(dropped).toEqual([
      { reason: 'Question 1, option 3: no label', value: ' ' },
      { reason: 'Question 1, option 4: no label', value: null },
      { reason: 'Question 1, option 5: no label', value: { label: '' } },
    ]);
    expect(first({ text: 'A?', options: [null] })).not.toHaveProperty('options');
  });

  it('LED-2 several answers are allowed by "multi" or by "multiSelect"', () => {
    expect(first({ text: 'A?', multi: true })?.multi).toBe(true);
    expect(first({ text: 'A?', multiSelect: true })?.multi).toBe(true);
    expect(first({ text: 'A?', multi: 'no' })?.multi).toBeUndefined();
  });

  it.each(['scope', 'architecture', 'dependency'])('LED-2 %s is a category', (category) => {
    expect(first({ text: 'A?', category })?.category).toBe(category);
  });

  it('LED-2 with an unknown category, or none, a person is asked', () => {
    expect(first({ text: 'A?', category: 'weather' })).not.toHaveProperty('category');
    expect(first({ text: 'A?' })).not.toHaveProperty('category');
  });

  it('LED-2 missing fields are left out', () => {
    expect(first('A?')).toEqual({ id: 'q1', text: 'A?', createdAt: AT });
    expect(first({ text: 'A?', header: '', options: [], recommended: '', context: ' ' })).toEqual({
      id: 'q1',
      text: 'A?',
      createdAt: AT,
    });
  });

  it.each([
    [
      'a text that is too long',
      { text: 'x'.repeat(limits.questionText + 1) },
      /the text has 65537 characters/,
    ],
    ['too many options', { text: 'A?', options: Array(101).fill('o') }, /101 options; at most 100/],
    ['an option that is too long', { text: 'A?', options: ['B', 'x'.repeat(2001)] }, /option 2: label/],
    ['a context that is too long', { text: 'A?', context: 'x'.repeat(limits.context + 1) }, /field context/],
  ])('LED-2 %s is refused and named', (_, entry, sentence) => {
    const attempt = () => normal('Fine?', entry);
    expect(attempt).toThrow(FermataError);
    expect(attempt).toThrow(sentence);
    expect(attempt).toThrow(/^Question 2/);
  });
});
