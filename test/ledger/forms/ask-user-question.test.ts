import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fromAskUserQuestion,
  fromAskUserQuestionAnswers,
  toAskUserQuestion,
  toUpdatedInput,
} from '../../../src/ledger/forms/ask-user-question.ts';
import type { Question } from '../../../src/schema/question.ts';
import { cases } from '../../support/long.ts';
import { AT, answersTo, questions } from './arbitrary-questions.ts';
import { attempt, refusal } from './refusal.ts';

/** As Claude Code sends it with `can_use_tool`. */
const input = {
  questions: [
    {
      question: 'Which programming language should we use?',
      header: 'Language',
      options: [
        { label: 'Rust', description: 'Fast, strict' },
        { label: 'TypeScript', description: 'Fits the repo', preview: 'const x = 1;' },
      ],
      multiSelect: false,
    },
    {
      question: 'Which features do you want to enable?',
      header: 'Features',
      options: [
        { label: 'Logging', description: 'Structured logs' },
        { label: 'Tracing, full', description: '' },
      ],
      multiSelect: true,
    },
  ],
};
const [language, features] = input.questions.map((question) => question.question);

describe("Claude's questions", () => {
  it('LED-2: become ours with texts, headers, options and several picks', () => {
    expect(fromAskUserQuestion(input, AT)).toEqual({
      dropped: [],
      questions: [
        {
          id: 'q1',
          text: language,
          createdAt: AT,
          header: 'Language',
          options: input.questions[0]?.options,
        },
        {
          id: 'q2',
          text: features,
          createdAt: AT,
          header: 'Features',
          options: [{ label: 'Logging', description: 'Structured logs' }, { label: 'Tracing, full' }],
          multi: true,
        },
      ],
    });
  });

  it('LED-2: become ours and are then written as they came', () => {
    expect(toAskUserQuestion(fromAskUserQuestion(input, AT).questions)).toEqual(input);
  });

  it('LED-2: may be plain texts; an entry without a text is dropped and reported as it came', () => {
    const odd = { header: 'no text', options: [{ label: { toString: 1, valueOf: 1 } }] };
    const { questions, dropped } = fromAskUserQuestion({ questions: ['Which?', odd, '  ', 7] }, AT);
    expect(questions).toEqual([{ id: 'q1', text: 'Which?', createdAt: AT }]);
    expect(dropped.map(({ value }) => value)).toEqual([odd, '  ', 7]);
  });

  it('LED-2: keep a label that says what is recommended, and report it as `recommended` too', () => {
    const options = [{ label: 'Rust (Recommended)' }, { label: 'C' }];
    const both = [{ label: 'A (Recommended)' }, { label: 'B (recommended)' }];
    const asked = fromAskUserQuestion(
      {
        questions: [
          { question: 'One?', options },
          { question: 'Two of one?', options: both },
          { question: 'Many?', options: both, multiSelect: true },
        ],
      },
      AT,
    ).questions;
    expect(asked.map((question) => question.recommended)).toEqual([
      'Rust (Recommended)',
      undefined,
      ['A (Recommended)', 'B (recommended)'],
    ]);
    expect(asked[0]?.options).toEqual(options);
  });

  it('LED-2: from ours keep text, header, options with description and preview, and several picks; nothing else', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const form = toAskUserQuestion(asked);
        const read = fromAskUserQuestion(form, AT).questions;
        expect(read.map(withoutRecommended)).toEqual(
          asked.map((question, index) => kept(question, index, form)),
        );
      }),
      { numRuns: cases(200) },
    );
  });
});

describe('answers to Claude', () => {
  it('LED-2: go back by the full text, several as one string, with notes', () => {
    const responses = [
      { questionId: 'q1', answer: 'Rust', note: 'edition 2024 please' },
      { questionId: 'q2', answer: ['Logging', 'Tracing, full', 'my own'] },
    ];
    const { questions } = fromAskUserQuestion(input, AT);
    const updated = toUpdatedInput(input, { questions, responses });
    expect(updated).toEqual({
      questions: input.questions,
      answers: { [`${language}`]: 'Rust', [`${features}`]: 'Logging, "Tracing, full", my own' },
      annotations: { [`${language}`]: { notes: 'edition 2024 please' } },
    });
    expect(fromAskUserQuestionAnswers(input, updated)).toEqual(responses);
  });

  it('LED-2: any answers to any questions are the same when they are read back', () => {
    fc.assert(
      fc.property(
        questions.chain((asked) => fc.tuple(fc.constant(asked), answersTo(asked))),
        ([asked, responses]) => {
          const form = toAskUserQuestion(asked);
          const { questions } = fromAskUserQuestion(form, AT);
          const labelled = responses.map((response, index) => ({ ...response, questionId: `q${index + 1}` }));
          const updated = toUpdatedInput(form, { questions, responses: labelled });
          const read = fromAskUserQuestionAnswers(form, JSON.parse(JSON.stringify(updated)));
          expect(read).toEqual(labelled);
        },
      ),
      { numRuns: cases(200) },
    );
  });

  it('LED-2: leave out skipped questions, give the reason for dismissed ones, and lose no text', () => {
    const { questions } = fromAskUserQuestion(input, AT);
    const by = { actor: { kind: 'person' as const, name: 'ann' }, channel: 'terminal' as const };
    const responses = [
      { questionId: 'q1', kind: 'skipped' as const, by, at: AT },
      { questionId: 'q2', kind: 'dismissed' as const, reason: 'Ask me tomorrow.', by, at: AT },
    ];
    expect(toUpdatedInput(input, { questions, responses })).toEqual({
      questions: input.questions,
      answers: {},
      annotations: { [`${features}`]: { notes: 'Dismissed: Ask me tomorrow.' } },
    });
  });

  it("LED-2: name Claude's own label if the stored one was trimmed or redacted", () => {
    const secret = ' Use sk-ant-0123456789abcdef ';
    const call = { questions: [{ question: ' Key? ', options: [{ label: secret }, { label: 'None' }] }] };
    const stored: Question = {
      id: 'q1',
      text: 'Key?',
      createdAt: AT,
      options: [{ label: 'Use [redacted]' }, { label: 'None' }],
    };
    const responses = [{ questionId: 'q1', answer: 'Use [redacted]' }];
    expect(toUpdatedInput(call, { questions: [stored], responses }).answers).toEqual({ ' Key? ': secret });
  });

  it('LED-2: two questions with the same text get distinct texts', () => {
    const call = {
      questions: [{ question: 'Which?' }, { question: 'Which? (2)' }, { question: 'Which?' }, 'Which?'],
    };
    const { questions } = fromAskUserQuestion(call, AT);
    const responses = questions.map(({ id }) => ({ questionId: id, answer: `to ${id}` }));
    const updated = toUpdatedInput(call, { questions, responses });
    expect(updated.answers).toEqual({
      'Which?': 'to q1',
      'Which? (2)': 'to q2',
      'Which? (3)': 'to q3',
      'Which? (4)': 'to q4',
    });
    expect(updated.questions).toEqual([
      { question: 'Which?' },
      { question: 'Which? (2)' },
      { question: 'Which? (3)' },
      'Which? (4)',
    ]);
    expect(fromAskUserQuestionAnswers(call, updated)).toEqual(responses);
  });

  it('LED-2: given elsewhere: a note alone is a free-text answer, and an empty one is not an answer', () => {
    const annotations = { [`${features}`]: { notes: 'decide yourself' } };
    expect(fromAskUserQuestionAnswers(input, { answers: { [`${language}`]: '' }, annotations })).toEqual([
      { questionId: 'q2', answer: 'decide yourself' },
    ]);
  });
});

describe('a strange AskUserQuestion', () => {
  it('LED-2: is asked without the options that have no label, and answered by those that it has', () => {
    const options = [null, { label: 5 }, { description: 'x' }, { label: ' Rust ' }];
    const call = { questions: [{ question: 'Which?', options }] };
    const { questions, dropped } = fromAskUserQuestion(call, AT);
    expect(questions).toMatchObject([{ text: 'Which?', options: [{ label: '5' }, { label: 'Rust' }] }]);
    expect(dropped).toEqual([]);
    const responses = [{ questionId: 'q1', answer: 'Rust' }];
    expect(toUpdatedInput(call, { questions, responses })).toMatchObject({ answers: { 'Which?': ' Rust ' } });
    expect(fromAskUserQuestionAnswers(call, { answers: { 'Which?': 'Rust' } })).toEqual(responses);
  });

  it.each([
    [null, 'AskUserQuestion: '],
    ['text', 'AskUserQuestion: '],
    [{}, 'field questions'],
    [{ questions: 'Which?' }, 'field questions'],
    [{ questions: new Array(101).fill('Which?') }, 'field questions'],
    [{ questions: [{ question: 'x'.repeat(70_000) }] }, 'the text has 70000 characters'],
  ])('LED-2: is refused with the field named: %j', (strange, field) => {
    for (const read of [
      () => fromAskUserQuestion(strange, AT),
      () => fromAskUserQuestionAnswers(strange, { answers: {} }),
    ]) {
      expect(refusal(read)).toContain(field);
    }
  });

  it.each([
    [null, 'AskUserQuestion: '],
    [{}, 'field answers'],
    [{ answers: { [`${language}`]: ['Rust'] } }, 'field answers'],
    [{ answers: { Language: 'Rust' } }, 'no question has the text "Language"'],
    [{ answers: {}, annotations: { [`${language}`]: 'note' } }, 'field annotations'],
    [{ answers: {}, annotations: { Q1: { notes: 'note' } } }, 'no question has the text "Q1"'],
  ])('LED-2: so are its answers: %j', (answered, field) => {
    expect(refusal(() => fromAskUserQuestionAnswers(input, answered))).toContain(field);
  });

  it('LED-2: so is an answer to a question that is not in the call', () => {
    const asked = { questions: [], responses: [{ questionId: 'q9', answer: 'x' }] };
    expect(refusal(() => toUpdatedInput(input, asked))).toContain('no question "q9"');
  });

  it('LED-2: is always either read or refused', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (call, answered) => {
        const value = { questions: JSON.parse(call) };
        attempt(() => fromAskUserQuestion(value, AT));
        attempt(() => fromAskUserQuestionAnswers(value, JSON.parse(answered)));
      }),
      { numRuns: cases(200) },
    );
  });
});

function kept(
  { text, header, options, multi }: Question,
  index: number,
  form: ReturnType<typeof toAskUserQuestion>,
) {
  const written = form.questions[index];
  return {
    id: `q${index + 1}`,
    text: written?.question ?? text,
    createdAt: AT,
    ...(header ? { header } : {}),
    ...(options
      ? {
          options: options.map(({ description, preview }, n) => ({
            label: written?.options[n]?.label,
            ...(description ? { description } : {}),
            ...(preview ? { preview } : {}),
          })),
        }
      : {}),
    ...(multi ? { multi } : {}),
  };
}

/** Whether a label says that it is recommended is tested above. */
function withoutRecommended({ recommended: _, ...question }: Question) {
  return question;
}
