import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromElicitationResult, toElicitationResult } from '../../../src/ledger/forms/elicitation-result.ts';
import { fromAcpElicitation, toAcpElicitation } from '../../../src/ledger/forms/elicitation-writer.ts';
import { cases } from '../../support/long.ts';
import { AT, answersTo, questions } from './arbitrary-questions.ts';
import { refusal } from './refusal.ts';

const styles = ['fermata', 'claude', 'codex'] as const;
const session = { sessionId: 's-1', toolCallId: 'toolu_1' };

/** As claude-agent-acp 0.99 sends it. */
const claude = {
  mode: 'form',
  ...session,
  message: 'Please answer the following questions.',
  requestedSchema: {
    type: 'object',
    properties: {
      question_0: {
        type: 'string',
        title: 'Language',
        description: 'Which programming language should we use?',
        oneOf: [
          { const: 'Rust', title: 'Rust', description: 'Fast, strict' },
          { const: 'TypeScript', title: 'TypeScript', description: 'Fits the repo' },
        ],
      },
      question_0_custom: {
        type: 'string',
        title: 'Other',
        description: 'Type your own answer, or add a note to the option you chose above (optional).',
      },
      question_1: {
        type: 'array',
        title: 'Features',
        description: 'Which features do you want to enable?',
        items: {
          anyOf: [
            { const: 'Logging', title: 'Logging', description: 'Structured logs' },
            { const: 'Tracing', title: 'Tracing', description: 'OTel' },
          ],
        },
      },
      question_1_custom: {
        type: 'string',
        title: 'Other',
        description: 'Type your own answer to add to your selection above (optional).',
      },
    },
  },
};

/** As claude-agent-acp 0.49 sent it: descriptions in the titles, and own words replace the choice. */
const olderClaude = {
  ...claude,
  requestedSchema: {
    type: 'object',
    properties: {
      question_0: {
        type: 'string',
        title: 'Language',
        description: 'Which programming language should we use?',
        oneOf: [
          {
            const: 'Rust',
            title: 'Rust — Fast, strict',
            _meta: {
              '_claude/askUserQuestionOption': { description: 'Fast, strict', preview: 'fn main() {}' },
            },
          },
          { const: 'TypeScript', title: 'TypeScript' },
        ],
      },
      question_0_custom: {
        type: 'string',
        title: 'Other',
        description: 'Type your own answer instead of choosing an option above (optional).',
      },
      question_1: {
        type: 'array',
        description: 'Which features do you want to enable?',
        items: {
          anyOf: [
            { const: 'Logging', title: 'Logging' },
            { const: 'Tracing', title: 'Tracing' },
          ],
        },
      },
      question_1_custom: {
        type: 'string',
        title: 'Other',
        description: 'Type your own answer instead of choosing an option above (optional).',
      },
    },
  },
};

/** As codex-acp 2.6 sends it. */
const codex = {
  ...session,
  mode: 'form',
  message: 'Codex needs your input to continue.',
  requestedSchema: {
    type: 'object',
    properties: {
      language: {
        title: 'Which programming language should we use?',
        description: 'Language',
        _meta: { codex: { isOther: true, isSecret: false } },
        type: 'string',
        oneOf: [
          { const: 'Rust (Recommended)', title: 'Rust (Recommended)', description: 'Fast, strict' },
          { const: 'TypeScript', title: 'TypeScript', description: 'Fits the repo' },
          {
            const: 'None of the above',
            title: 'None of the above',
            description: 'Provide a different answer in the note field.',
          },
        ],
      },
      language_note: {
        type: 'string',
        title: 'Additional answer or note',
        _meta: { codex: { questionId: 'language', role: 'user_note', isSecret: false } },
      },
    },
    required: ['language'],
  },
  _meta: { codex: { autoResolutionMs: null } },
};

const language = {
  id: 'question_0',
  text: 'Which programming language should we use?',
  createdAt: AT,
  header: 'Language',
  options: [
    { label: 'Rust', description: 'Fast, strict' },
    { label: 'TypeScript', description: 'Fits the repo' },
  ],
};

describe("the form of Claude's ACP adapter", () => {
  it('LED-2: becomes questions, with the session and the call that wait', () => {
    const features = {
      id: 'question_1',
      text: 'Which features do you want to enable?',
      createdAt: AT,
      header: 'Features',
      options: [
        { label: 'Logging', description: 'Structured logs' },
        { label: 'Tracing', description: 'OTel' },
      ],
      multi: true,
    };
    expect(fromAcpElicitation(claude, AT)).toEqual({ ...session, questions: [language, features] });
  });

  it('LED-2: is written again with the same fields', () => {
    const { questions } = fromAcpElicitation(claude, AT);
    const { _meta, ...form } = toAcpElicitation(questions, {
      ...session,
      style: 'claude',
      message: claude.message,
    });
    expect(wordless(form)).toEqual(wordless(claude));
  });

  it.each([
    [{ answer: 'Rust' }, { question_0: 'Rust' }],
    [
      { answer: 'Rust', note: 'edition 2024' },
      { question_0: 'Rust', question_0_custom: 'edition 2024' },
    ],
    [{ answer: 'Zig' }, { question_0_custom: 'Zig' }],
  ])('LED-2: is filled with a choice, a note or own words: %j', (said, content) => {
    const responses = [{ questionId: 'question_0', ...said }];
    const result = toElicitationResult(claude, { responses });
    expect(result).toEqual({ action: 'accept', content });
    expect(fromElicitationResult(claude, result)).toEqual({ responses });
  });

  it('LED-2: takes several options together with free text', () => {
    const responses = [{ questionId: 'question_1', answer: ['Logging', 'Costs, too'] }];
    const result = toElicitationResult(claude, { responses });
    expect(result.content).toEqual({ question_1: ['Logging'], question_1_custom: '"Costs, too"' });
    expect(fromElicitationResult(claude, result)).toEqual({ responses });
  });
});

describe("the form of Claude's older ACP adapter", () => {
  it('LED-2: becomes the same questions, with previews', () => {
    const [first] = fromAcpElicitation(olderClaude, AT).questions;
    expect(first?.options).toEqual([
      { label: 'Rust', description: 'Fast, strict', preview: 'fn main() {}' },
      { label: 'TypeScript' },
    ]);
  });

  it('LED-2: whose text field replaces the choice gets all that was said in it', () => {
    const responses = [
      { questionId: 'question_0', answer: 'Rust', note: 'edition 2024' },
      { questionId: 'question_1', answer: ['Logging', 'Costs'] },
    ];
    expect(toElicitationResult(olderClaude, { responses }).content).toEqual({
      question_0: 'Rust',
      question_0_custom: 'Rust\nedition 2024',
      question_1: ['Logging'],
      question_1_custom: 'Logging, Costs',
    });
  });
});

describe("the form of Codex's ACP adapter", () => {
  it('LED-2: becomes questions: the title is the text, and the choice for free text is not an option', () => {
    expect(fromAcpElicitation(codex, AT)).toEqual({
      ...session,
      questions: [
        {
          ...language,
          id: 'language',
          options: [
            { label: 'Rust (Recommended)', description: 'Fast, strict' },
            { label: 'TypeScript', description: 'Fits the repo' },
          ],
          recommended: 'Rust (Recommended)',
        },
      ],
    });
  });

  it('LED-2: is written again with the same fields', () => {
    const [question] = fromAcpElicitation(codex, AT).questions.map(({ recommended: _, ...rest }) => rest);
    const to = { ...session, style: 'codex' as const, message: codex.message };
    const { _meta, ...form } = toAcpElicitation(question ? [question] : [], to);
    expect(wordless({ ...form, _meta: codex._meta })).toEqual(wordless(codex));
  });

  it.each([
    [{ answer: 'TypeScript' }, { language: 'TypeScript' }],
    [
      { answer: 'TypeScript', note: 'strict' },
      { language: 'TypeScript', language_note: 'strict' },
    ],
    [{ answer: 'Zig' }, { language: 'None of the above', language_note: 'Zig' }],
  ])('LED-2: is filled with a choice, a note or own words: %j', (said, content) => {
    const responses = [{ questionId: 'language', ...said }];
    const result = toElicitationResult(codex, { responses });
    expect(result).toEqual({ action: 'accept', content });
    expect(fromElicitationResult(codex, result)).toEqual({ responses });
  });
});

describe('a text field of Codex with a note next to it', () => {
  const { language_note } = codex.requestedSchema.properties;
  const language = { type: 'string', title: 'Which?', _meta: { codex: { isOther: false } } };
  const form = { ...codex, requestedSchema: { type: 'object', properties: { language, language_note } } };

  it.each([
    [{ answer: 'Zig' }, { language: 'Zig' }],
    [
      { answer: 'Zig', note: 'or C' },
      { language: 'Zig', language_note: 'or C' },
    ],
  ])('LED-2: is one question: %j', (said, content) => {
    const responses = [{ questionId: 'language', ...said }];
    expect(fromAcpElicitation(form, AT).questions).toEqual([
      { id: 'language', text: 'Which?', createdAt: AT },
    ]);
    expect(toElicitationResult(form, { responses })).toEqual({ action: 'accept', content });
    expect(fromElicitationResult(form, { action: 'accept', content })).toEqual({ responses });
  });
});

describe('an ACP form in any style', () => {
  it.each(styles)('LED-2: gives back the very same questions, whatever they are: %s', (style) => {
    fc.assert(
      fc.property(questions, (asked) => {
        const form = JSON.parse(JSON.stringify(toAcpElicitation(asked, { ...session, style })));
        expect(fromAcpElicitation(form, 'later')).toEqual({ ...session, questions: asked });
      }),
      { numRuns: cases(100) },
    );
  });

  it.each(styles)('LED-2: gives back any answers as they were given: %s', (style) => {
    fc.assert(
      fc.property(
        questions.chain((asked) => fc.tuple(fc.constant(asked), answersTo(asked))),
        ([asked, responses]) => {
          const form = JSON.parse(JSON.stringify(toAcpElicitation(asked, { sessionId: 's-1', style })));
          const result = JSON.parse(
            JSON.stringify(toElicitationResult(form, { questions: asked, responses })),
          );
          expect(sorted(fromElicitationResult(form, result))).toEqual(sorted({ responses }));
        },
      ),
      { numRuns: cases(100) },
    );
  });

  it.each([
    [{ ...claude, sessionId: 5 }, 'field sessionId'],
    [{ ...claude, toolCallId: {} }, 'field toolCallId'],
    [{ ...claude, mode: 'url' }, 'field mode'],
    ['text', 'Elicitation: '],
  ])('LED-2: that is invalid is refused with the name of the field', (form, field) => {
    expect(refusal(() => fromAcpElicitation(form, AT))).toContain(field);
  });
});

/** Without the wording of the text fields, which differs between adapters. */
function wordless(form: unknown): unknown {
  return JSON.parse(JSON.stringify(form), (key, value) => {
    if (/_(custom|note)$/.test(key)) return { ...value, title: '', description: '' };
    return value?.const === 'None of the above' ? value.const : value;
  });
}

/** With several picks, those in the form's own list come first; the order has no meaning. */
function sorted(input: unknown): unknown {
  return JSON.parse(JSON.stringify(input), (key, value) =>
    key === 'answer' && Array.isArray(value) ? value.sort() : value,
  );
}
