import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromElicitationResult } from '../../../src/ledger/forms/elicitation-result.ts';
import { fromMcpElicitation, toMcpElicitation } from '../../../src/ledger/forms/elicitation-writer.ts';
import { cases } from '../../support/long.ts';
import { AT } from './arbitrary-questions.ts';
import { attempt, refusal } from './refusal.ts';
import { store } from './sample-questions.ts';

describe('a strange form', () => {
  const wrap = (property: unknown) => ({ requestedSchema: { properties: { x: property } } });

  it.each([
    [null, 'Elicitation: '],
    [{}, 'Elicitation.requestedSchema: '],
    [{ mode: 'url', url: 'https://example.com' }, 'field mode: only form mode'],
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

  it('LED-2: with odd names is still read', () => {
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

  it('LED-2: is always either read or refused', () => {
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
      { numRuns: cases(200) },
    );
  });
});
