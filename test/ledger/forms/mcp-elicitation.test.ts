import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromElicitationResult, toElicitationResult } from '../../../src/ledger/forms/elicitation-result.ts';
import { fromMcpElicitation, toMcpElicitation } from '../../../src/ledger/forms/mcp-elicitation.ts';
import type { Question } from '../../../src/schema/question.ts';
import { AT, answersTo, questions } from './arbitrary-questions.ts';
import { attempt, refusal } from './refusal.ts';

const store: Question = {
  id: 'store',
  text: 'Which database should we use?',
  createdAt: AT,
  header: 'Database',
  options: [
    {
      id: 'pg',
      label: 'PostgreSQL',
      description: 'Pro: many writers. Con: a server.',
      preview: 'create table …',
    },
    { label: 'SQLite' },
  ],
  recommended: 'SQLite',
  context: 'Two processes write.',
  category: 'architecture',
};
const parts: Question = {
  id: 'parts',
  text: 'Which parts?',
  createdAt: AT,
  options: [{ label: 'Logs' }, { label: 'Traces' }],
  multi: true,
  recommended: ['Logs', 'Costs'],
};
const name: Question = { id: 'name', text: 'What is it called?', createdAt: AT, header: 'Name' };

describe('an MCP form', () => {
  it('LED-2: has a field for each question, choices that strict clients take, and a text field beside them', () => {
    expect(toMcpElicitation([store, parts, name])).toEqual({
      message: 'Database\nTwo processes write.',
      requestedSchema: {
        type: 'object',
        properties: {
          store: {
            type: 'string',
            title: 'Database',
            description: 'Which database should we use?',
            oneOf: [
              { const: 'PostgreSQL', title: 'PostgreSQL — Pro: many writers. Con: a server.' },
              { const: 'SQLite', title: 'SQLite' },
            ],
            default: 'SQLite',
          },
          store_other: {
            type: 'string',
            title: 'Other',
            description: expect.stringContaining('Your own answer'),
          },
          parts: {
            type: 'array',
            description: 'Which parts?',
            items: {
              anyOf: [
                { const: 'Logs', title: 'Logs' },
                { const: 'Traces', title: 'Traces' },
              ],
            },
            default: ['Logs'],
          },
          parts_other: expect.objectContaining({ type: 'string', default: 'Costs' }),
          name: { type: 'string', title: 'Name', description: 'What is it called?' },
        },
        required: ['name'],
      },
      _meta: { 'fermata/questions': expect.any(Array) },
    });
  });

  it('LED-2: of one question says what it is about, or else what is asked', () => {
    expect(toMcpElicitation([store]).message).toBe('Two processes write.');
    expect(toMcpElicitation([name]).message).toBe('What is it called?');
    expect(toMcpElicitation([name], 'For the plan').message).toBe('For the plan');
  });

  it('LED-2: gives back the very same questions, whatever they are', () => {
    fc.assert(
      fc.property(questions, (asked) => {
        const form = JSON.parse(JSON.stringify(toMcpElicitation(asked)));
        expect(fromMcpElicitation(form, 'later')).toEqual(asked);
      }),
      { numRuns: 200 },
    );
  });

  it('LED-2: whose properties were put in another order still does', () => {
    const form = toMcpElicitation([store, parts, name]);
    const { properties } = form.requestedSchema;
    const sorted = Object.fromEntries(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1)));
    const moved = { ...form, requestedSchema: { ...form.requestedSchema, properties: sorted } };
    expect(fromMcpElicitation(moved, AT)).toEqual([store, parts, name]);
  });

  it('LED-2: that lost its _meta keeps text, header, options with descriptions, several picks and the default', () => {
    const { _meta, ...form } = toMcpElicitation([store, parts, name]);
    const context = 'Database\nTwo processes write.';
    const { category, ...rest } = store;
    const options = [
      { label: 'PostgreSQL', description: 'Pro: many writers. Con: a server.' },
      { label: 'SQLite' },
    ];
    expect(fromMcpElicitation(form, AT)).toEqual([
      { ...rest, options, context },
      { ...parts, context },
      { ...name, context },
    ]);
  });
});

describe('the form of another MCP server', () => {
  const form = {
    message: 'Where should it run?',
    requestedSchema: {
      type: 'object',
      properties: {
        region: {
          type: 'string',
          oneOf: [
            { const: 'eu-1', title: 'Europe' },
            { const: 'us-1', title: 'America' },
          ],
        },
        size: {
          type: 'string',
          title: 'Size',
          enum: ['s', 'l'],
          enumNames: ['Small', 'Large'],
          default: 'l',
        },
        zones: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, title: null },
        count: { type: 'integer', description: 'How many?', default: 3 },
        share: { type: 'number' },
        public: { type: 'boolean', title: 'Public?', default: false },
      },
      required: ['region', 'count'],
    },
  };

  it('LED-2: becomes questions: choices by their titles, yes and no, numbers as text', () => {
    const context = 'Where should it run?';
    const options = [
      { id: 'eu-1', label: 'Europe' },
      { id: 'us-1', label: 'America' },
    ];
    const sizes = [
      { id: 's', label: 'Small' },
      { id: 'l', label: 'Large' },
    ];
    expect(fromMcpElicitation(form, AT)).toEqual([
      { id: 'region', text: 'region', createdAt: AT, options, context },
      { id: 'size', text: 'Size', createdAt: AT, options: sizes, recommended: 'Large', context },
      {
        id: 'zones',
        text: 'zones',
        createdAt: AT,
        options: [{ label: 'a' }, { label: 'b' }],
        multi: true,
        context,
      },
      { id: 'count', text: 'How many?', createdAt: AT, recommended: '3', context },
      { id: 'share', text: 'share', createdAt: AT, context },
      {
        id: 'public',
        text: 'Public?',
        createdAt: AT,
        options: [{ label: 'Yes' }, { label: 'No' }],
        recommended: 'No',
        context,
      },
    ]);
  });

  it('LED-2: of one field asks what its message says', () => {
    const properties = { answer: { type: 'string', title: 'Answer', enum: ['Rust', 'TypeScript'] } };
    const one = { message: 'Which language?', requested_schema: { type: 'object', properties } };
    expect(fromMcpElicitation(one, AT)).toEqual([
      {
        id: 'answer',
        text: 'Which language?',
        createdAt: AT,
        header: 'Answer',
        options: [{ label: 'Rust' }, { label: 'TypeScript' }],
      },
    ]);
  });

  it('LED-2: gets values of its own kinds back', () => {
    const responses = [
      { questionId: 'region', answer: 'Europe' },
      { questionId: 'size', answer: 'Small' },
      { questionId: 'zones', answer: ['b'] },
      { questionId: 'count', answer: '4', note: 'for now' },
      { questionId: 'share', answer: '0.5' },
      { questionId: 'public', answer: 'No' },
    ];
    const result = toElicitationResult(form, { responses });
    expect(result).toEqual({
      action: 'accept',
      content: { region: 'eu-1', size: 's', zones: ['b'], count: 4, share: 0.5, public: false },
      _meta: { 'fermata/responses': [{ questionId: 'count', note: 'for now' }] },
    });
    expect(fromElicitationResult(form, result)).toEqual({ responses });
  });

  it.each([
    ['region', 'Asia', 'field region: "Asia" is not offered. Choose from: Europe, America.'],
    ['count', 'many', 'field count: it takes a whole number, not "many".'],
    ['count', '1.5', 'field count: it takes a whole number'],
    ['share', 'half', 'field share: it takes a number'],
    ['nobody', 'x', 'no question "nobody"'],
  ])('LED-2: cannot be filled with what it does not take: %s = %s', (questionId, answer, sentence) => {
    expect(refusal(() => toElicitationResult(form, { responses: [{ questionId, answer }] }))).toContain(
      sentence,
    );
  });
});

describe('the result of a form', () => {
  const form = toMcpElicitation([store, parts, name]);
  const accept = (content: object) => fromElicitationResult(form, { action: 'accept', content });

  it('LED-2: accepted is the answers: a choice, a choice with a note, own words, several', () => {
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

  it('LED-2: declined dismisses with a reason, cancelled or left empty is no answer', () => {
    expect(fromElicitationResult(form, { action: 'decline' })).toEqual({
      dismissed: true,
      reason: 'Declined in the form.',
    });
    expect(fromElicitationResult(form, { action: 'cancel' })).toBeUndefined();
    expect(fromElicitationResult(form, { action: 'accept', content: null })).toBeUndefined();
    expect(accept({ store: '', store_other: ' ', parts: [], name: null })).toBeUndefined();
  });

  it('LED-2: from what was said: nothing cancels, all dismissed declines with the reason, and both come back', () => {
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

  it('LED-2: a field that must be filled: silence cancels, skipping declines; others may be skipped or dismissed', () => {
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
      { numRuns: 200 },
    );
  });

  it('LED-2: names the choice that was meant where the stored label was cleaned of a secret', () => {
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

describe('a strange form', () => {
  const wrap = (property: unknown) => ({ requestedSchema: { properties: { x: property } } });

  it.each([
    [null, 'Elicitation: '],
    [{}, 'Elicitation.requestedSchema: '],
    [{ mode: 'url', url: 'https://example.com' }, 'field mode: only forms'],
    [{ message: 5, requestedSchema: { properties: {} } }, 'field message'],
    [{ requestedSchema: { type: 'array', properties: {} } }, 'field type'],
    [{ requestedSchema: { type: 'object' } }, 'field requestedSchema.properties'],
    [{ requestedSchema: { properties: [] } }, 'field requestedSchema.properties'],
    [{ requestedSchema: { properties: {}, required: 'x' } }, 'field required'],
    [wrap(null), 'properties.x'],
    [wrap({ type: 'object', properties: {} }), 'properties.x, field type'],
    [wrap({ type: 'string', title: {} }), 'properties.x, field title'],
    [wrap({ oneOf: [{ title: 'A' }] }), 'properties.x, field oneOf.0.const'],
    [wrap({ type: 'array', items: { type: 'string' } }), 'properties.x.items'],
    [wrap({ enum: Array.from({ length: 101 }, String) }), '101 options'],
    [
      {
        requestedSchema: {
          properties: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`f${n}`, {}])),
        },
      },
      '201 fields',
    ],
    [{ ...wrap({}), _meta: { 'fermata/questions': 'all' } }, '_meta.fermata/questions'],
    [{ ...wrap({}), _meta: { 'fermata/questions': [{}] } }, '_meta.fermata/questions, field 0'],
    [
      { ...wrap({}), _meta: { 'fermata/questions': [{ field: 'x', text: 5 }] } },
      '_meta.fermata/questions, field text',
    ],
    [
      { ...wrap({}), _meta: { 'fermata/questions': [{ field: 'x', id: null }] } },
      '_meta.fermata/questions, field id',
    ],
    [
      {
        requestedSchema: { properties: { x: {}, y: {} } },
        _meta: { 'fermata/questions': [{ field: 'x', id: 'y' }] },
      },
      'two questions have the same id',
    ],
  ])('LED-2: is refused with the field named: %j', (form, field) => {
    expect(refusal(() => fromMcpElicitation(form, AT))).toContain(field);
  });

  it('LED-2: with odd names is read all the same', () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"string","title":"P"},"toString":{},"":{},"e":{"enum":["",""]}}',
    );
    const asked = fromMcpElicitation({ requestedSchema: { properties } }, AT);
    expect(asked.map(({ id, text }) => [id, text])).toEqual([
      ['__proto__', 'P'],
      ['toString', 'toString'],
      ['q3', 'Field 3'],
      ['e', 'e'],
    ]);
    const content = JSON.parse('{"__proto__":"a","toString":"b"}');
    expect(fromElicitationResult({ requestedSchema: { properties } }, { action: 'accept', content })).toEqual(
      {
        responses: [
          { questionId: '__proto__', answer: 'a' },
          { questionId: 'toString', answer: 'b' },
        ],
      },
    );
  });

  it.each([
    [null, 'Elicitation result: '],
    [{}, 'field action'],
    [{ action: 'maybe' }, 'field action'],
    [{ action: 'accept', content: [] }, 'field content'],
    [{ action: 'accept', content: { store: { deep: 1 } } }, 'field content.store'],
    [
      { action: 'accept', content: { store: ['SQLite', 'PostgreSQL'] } },
      'question store: it takes one answer',
    ],
    [{ action: 'accept', content: { shop: 'SQLite' } }, 'field content.shop: the form has no such field'],
    [
      { action: 'accept', _meta: { 'fermata/responses': [{ questionId: 'store', answer: 'x' }] } },
      '_meta.fermata/responses',
    ],
  ])('LED-2: so is a strange result: %j', (result, field) => {
    expect(refusal(() => fromElicitationResult(toMcpElicitation([store]), result))).toContain(field);
  });

  it('LED-2: never does anything but be read or be refused', () => {
    const property = fc.record(
      {
        type: fc.constantFrom('string', 'array', 'boolean', 'number', 'x'),
        title: fc.jsonValue(),
        oneOf: fc.jsonValue(),
        items: fc.jsonValue(),
        default: fc.jsonValue(),
        _meta: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(property, fc.jsonValue())),
        fc.jsonValue(),
        (properties, any) => {
          const form = { message: 'm', requestedSchema: { properties }, _meta: { 'fermata/questions': any } };
          attempt(() => fromMcpElicitation(form, AT));
          attempt(() => fromElicitationResult(form, { action: 'accept', content: any }));
          attempt(() => fromElicitationResult(form, any));
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** Of several picks, those in the form's own list come first: the order says nothing. */
function sorted(input: unknown): unknown {
  return JSON.parse(JSON.stringify(input), (key, value) =>
    key === 'answer' && Array.isArray(value) ? value.sort() : value,
  );
}
