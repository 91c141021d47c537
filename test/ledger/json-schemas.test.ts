import { describe, expect, it } from 'vitest';
import { jsonSchemas } from '../../src/schema/json-schemas.ts';

interface Schema {
  type?: string;
  required?: string[];
  properties?: Record<string, Schema & { enum?: string[] }>;
  additionalProperties?: boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
}
const schemas = jsonSchemas() as Record<string, Schema>;

describe('the JSON Schemas', () => {
  it.each(Object.keys(schemas))('LED-2 of %s can be made, and is plain JSON', (name) => {
    const schema = schemas[name];
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(schema?.type ?? schema?.anyOf ?? schema?.oneOf).toBeDefined();
  });

  it('LED-2 a question needs an id, a text and a time, and may have the rest', () => {
    const { required, properties } = schemas.question ?? {};
    expect(required?.sort()).toEqual(['createdAt', 'id', 'text']);
    const optional = ['header', 'options', 'multi', 'recommended', 'context', 'category'];
    expect(Object.keys(properties ?? {})).toEqual(expect.arrayContaining(optional));
    expect(properties?.category?.enum).toEqual(['scope', 'architecture', 'dependency']);
  });

  it('LED-1 the sources are those of the specification', () => {
    const sources = ['eval', 'prd', 'plan', 'execute', 'gap', 'gate', 'approval'];
    expect(schemas['notification-create']?.properties?.source?.enum).toEqual(sources);
  });

  it('LED-3 the states are those of the specification', () => {
    const states = [
      'open',
      'answered',
      'skipped',
      'declined',
      'expired',
      'superseded',
      'withdrawn',
      'delivered',
      'recorded',
    ];
    expect(schemas.notification?.properties?.status?.enum?.sort()).toEqual(states.sort());
  });

  it('LED-10 hilConfig has three keys and no other', () => {
    expect(schemas['hil-config']?.required).toHaveLength(3);
    expect(schemas['hil-config']?.additionalProperties).toBe(false);
  });
});
