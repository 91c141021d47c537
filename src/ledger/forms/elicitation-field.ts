import * as z from 'zod';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import { check } from '../check.ts';
import { isRecord, type JsonRecord } from './record.ts';

/** A choice in a form. `value` is what the form takes; a person sees the rest. */
export interface Choice {
  value: string | boolean;
  label: string;
  description?: string;
  preview?: string;
}

/** One field of an elicitation form (MCP, ACP). */
export interface Field {
  name: string;
  kind: 'text' | 'number' | 'integer' | 'one' | 'many';
  title?: string;
  description?: string;
  choices: Choice[];
  /** The default, as values of the form. */
  preset: (string | boolean)[];
  required: boolean;
  meta: JsonRecord;
}

/** The fields of `requestedSchema`, in the order of its properties. Throws for a field that a form cannot have, and names it. */
export function readFields(schema: unknown): Field[] {
  const { required } = check(Schema, schema, `${WHAT}.requestedSchema`);
  const properties = isRecord(schema) ? schema.properties : undefined;
  if (!isRecord(properties)) throw wrong('properties', 'expected an object');
  const entries = Object.entries(properties);
  if (entries.length > MAX) throw wrong('properties', `${entries.length} fields; at most ${MAX} are allowed`);
  return entries.map(([name, property]) => readField(name, property, required?.includes(name) ?? false));
}

/** Separates label and description in the title of a choice, if the format has no field for the description. */
export const TITLE_SEPARATOR = ' — ';

const WHAT = 'Elicitation';
const MAX = 2 * limits.questions;

const Schema = z.object({
  type: z.literal('object').nullish(),
  required: z.array(z.string()).nullish(),
});

const ConstChoice = z.object({
  const: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  _meta: z.unknown().optional(),
});

const Property = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']).nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  enum: z.array(z.string()).nullish(),
  enumNames: z.array(z.string()).nullish(),
  oneOf: z.array(ConstChoice).nullish(),
  items: z
    .object({
      enum: z.array(z.string()).nullish(),
      anyOf: z.array(ConstChoice).nullish(),
      oneOf: z.array(ConstChoice).nullish(),
    })
    .nullish(),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullish(),
  _meta: z.unknown().optional(),
});
type Property = z.infer<typeof Property>;

function readField(name: string, value: unknown, required: boolean): Field {
  const property = check(Property, value, `${WHAT}.requestedSchema.properties.${name.slice(0, 100)}`);
  const { title, description, default: preset } = property;
  return {
    name,
    kind: kindOf(property),
    choices: choicesOf(name, property),
    preset: presetOf(preset),
    required,
    meta: isRecord(property._meta) ? property._meta : {},
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
  };
}

function kindOf({ type, enum: names, oneOf }: Property): Field['kind'] {
  if (type === 'array') return 'many';
  if (type === 'boolean' || names || oneOf) return 'one';
  return type === 'number' || type === 'integer' ? type : 'text';
}

function choicesOf(name: string, { type, enum: names, enumNames, oneOf, items }: Property): Choice[] {
  if (type === 'boolean') {
    return [
      { value: true, label: 'Yes' },
      { value: false, label: 'No' },
    ];
  }
  if (type === 'array') {
    const listed = items?.anyOf ?? items?.oneOf;
    if (!listed && !items?.enum) {
      throw wrong(`properties.${name.slice(0, 100)}.items`, 'expected "enum" or "anyOf"');
    }
    return listed ? listed.map(readChoice) : plain(items?.enum ?? []);
  }
  return oneOf ? oneOf.map(readChoice) : plain(names ?? [], enumNames ?? []);
}

function plain(values: string[], labels: string[] = []): Choice[] {
  return values.map((value, index) => ({ value, label: labels[index]?.trim() || value.trim() || EMPTY }));
}

function readChoice(choice: z.infer<typeof ConstChoice>): Choice {
  const { const: value, title } = choice;
  const ours = isRecord(choice._meta) ? choice._meta['_claude/askUserQuestionOption'] : undefined;
  const hidden = isRecord(ours) ? ours : {};
  const inTitle = title?.startsWith(value + TITLE_SEPARATOR)
    ? title.slice((value + TITLE_SEPARATOR).length)
    : '';
  const description = choice.description || textOf(hidden.description) || inTitle;
  const preview = textOf(hidden.preview);
  return {
    value,
    label: (inTitle ? value : title)?.trim() || value.trim() || EMPTY,
    ...(description ? { description } : {}),
    ...(preview ? { preview } : {}),
  };
}

const EMPTY = '(empty)';

function presetOf(value: Property['default']): (string | boolean)[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value;
  return [typeof value === 'number' ? String(value) : value];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function wrong(field: string, problem: string): FermataError {
  return new FermataError('invalid', `${WHAT}, field requestedSchema.${field}: ${problem}.`);
}
