import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromElicitationResult, toElicitationResult } from '../../../src/ledger/forms/elicitation-result.ts';
import { fromMcpElicitation, toMcpElicitation } from '../../../src/ledger/forms/elicitation-writer.ts';
import { cases } from '../../support/long.ts';
import { AT, questions } from './arbitrary-questions.ts';
import { refusal } from './refusal.ts';
import { name, parts, store } from './sample-questions.ts';

describe('an MCP form', () => {
  it('LED-2: has a field for each question, choices that strict clients accept, and a text field next to them', () => {
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
      { numRuns: cases(200) },
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

  it('LED-2: gets values of its own types back', () => {
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
  ])('LED-2: refuses values that a field does not accept: %s = %s', (questionId, answer, sentence) => {
    expect(refusal(() => toElicitationResult(form, { responses: [{ questionId, answer }] }))).toContain(
      sentence,
    );
  });
});
