import * as z from 'zod';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import { Question } from '../../schema/question.ts';
import { check } from '../check.ts';
import { normalizeQuestions } from '../notifications/questions.ts';
import { markedAsRecommended, splitItems } from './joined-items.ts';
import { isRecord, type JsonRecord } from './record.ts';

/** The key in `_meta` of the request for what the format has no field for. */
export const QUESTIONS_KEY = 'fermata/questions';
/** The message of our forms if no question has a context. When read, it does not count as one. */
export const NO_CONTEXT = 'Please answer.';

/** The text field next to the choices of a question. */
export interface OtherField {
  name: string;
  preset: string[];
  /** Whether its text replaces the choice or adds to it: a note on one choice, one more among several. */
  takes: 'instead' | 'beside';
  /** The choice that means "see the text field". */
  none?: string;
}

/** A question of a form, and the fields for its answer. */
export interface FormQuestion {
  field: Field;
  other?: OtherField;
  question: Question;
}

/** Reads any form: ours, an MCP server's, or that of an ACP adapter of Claude or Codex. */
export function readForm(params: unknown, at: string): FormQuestion[] {
  const request = check(Request, params, 'Elicitation');
  const { message, requestedSchema = request.requested_schema, _meta } = request;
  const asked = pairFields(readFields(requestedSchema));
  const entries = asked.map(({ field, other }, index) =>
    toEntry(field, other, { index, only: asked.length === 1, message: message ?? '' }),
  );
  const { questions } = normalizeQuestions(entries, at);
  const read = asked.map((pair, index) => {
    const question = questions[index];
    if (!question)
      throw new FermataError('invalid', `Elicitation, field ${pair.field.name}: it has no text.`);
    return { ...pair, question };
  });
  return withExtras(read, isRecord(_meta) ? _meta[QUESTIONS_KEY] : undefined);
}

const Request = z.object({
  mode: z.literal('form', 'only form mode is supported here').nullish(),
  message: z.string().nullish(),
  requestedSchema: z.unknown().optional(),
  /** Claude Code's name for it when it passes on the form of an MCP server. */
  requested_schema: z.unknown().optional(),
  _meta: z.unknown().optional(),
});

const Extras = z.array(z.custom<Extra>(isExtra, 'expected an object with "field"')).max(2 * limits.questions);
const PartOfQuestion = Question.partial();

type Extra = JsonRecord & { field: string };

function isExtra(value: unknown): boolean {
  return isRecord(value) && typeof value.field === 'string';
}

type Pair = Omit<FormQuestion, 'question'>;

/** Removes the text fields that belong to a choice from the list of questions. */
function pairFields(fields: Field[]): Pair[] {
  const pairs = fields.map((field): Pair => {
    const text = fields.find((other) => belongsTo(other, field));
    return text ? { field: withoutNone(field), other: otherField(field, text) } : { field };
  });
  const taken = new Set(pairs.map(({ other }) => other?.name));
  return pairs.filter(({ field }) => !taken.has(field.name));
}

const SUFFIXES = ['_other', '_custom', '_note'];

function belongsTo(other: Field, field: Field): boolean {
  if (other.kind !== 'text' || other === field) return false;
  const { codex } = other.meta;
  if (isRecord(codex) && codex.role === 'user_note') return codex.questionId === field.name;
  return field.choices.length > 0 && SUFFIXES.some((suffix) => other.name === field.name + suffix);
}

function otherField(field: Field, text: Field): OtherField {
  const none = noneOf(field);
  return {
    name: text.name,
    preset: text.preset.map(String),
    takes: /\binstead\b/i.test(text.description ?? '') ? 'instead' : 'beside',
    ...(none === undefined ? {} : { none }),
  };
}

export const NONE_OF_THE_ABOVE = 'None of the above';

function noneOf({ choices, meta }: Field): string | undefined {
  const last = choices.at(-1)?.value;
  return isRecord(meta.codex) && meta.codex.isOther === true && last === NONE_OF_THE_ABOVE ? last : undefined;
}

function withoutNone(field: Field): Field {
  return noneOf(field) === undefined ? field : { ...field, choices: field.choices.slice(0, -1) };
}

function toEntry(
  field: Field,
  other: OtherField | undefined,
  form: { index: number; only: boolean; message: string },
) {
  const { name, kind, title, description, choices } = field;
  const adapter = adapterOf(field);
  const message = adapter || form.message === NO_CONTEXT ? '' : form.message;
  const [first, second] = adapter === 'codex' ? [title, description] : [description, title];
  const text = [first, form.only ? message : '', second, name].find((candidate) => candidate?.trim());
  const labels = choices.map((choice) => choice.label);
  const multi = kind === 'many';
  return {
    id: name,
    text: text ?? `Field ${form.index + 1}`,
    header: second === text ? undefined : second,
    options: choices.map(({ value, label, description, preview }) => ({
      label,
      ...(typeof value === 'string' && value !== label ? { id: value } : {}),
      ...(description ? { description } : {}),
      ...(preview ? { preview } : {}),
    })),
    multi,
    recommended: presetOf(field, other) ?? markedAsRecommended(labels, multi),
    context: message === text ? undefined : message,
  };
}

/** The adapters use their own phrase as `message`, and Codex's swaps text and header. */
function adapterOf(field: Field): 'claude' | 'codex' | undefined {
  if (isRecord(field.meta.codex)) return 'codex';
  return /^question_\d+$/.test(field.name) ? 'claude' : undefined;
}

function presetOf(field: Field, other: OtherField | undefined) {
  const labels = field.preset.map(
    (value) => field.choices.find((c) => c.value === value)?.label ?? String(value),
  );
  const free = field.kind === 'many' ? other?.preset.flatMap(splitItems) : other?.preset;
  const values = [...labels, ...(free ?? [])].filter((value) => value !== '');
  if (values.length === 0) return undefined;
  return field.kind === 'many' ? values : values[0];
}

/** Restores what our own form carried outside its fields, and the order of the questions. */
function withExtras(read: FormQuestion[], given: unknown): FormQuestion[] {
  if (given === undefined) return read;
  const extras = check(Extras, given, `Elicitation._meta.${QUESTIONS_KEY}`);
  const rank = new Map(extras.map(({ field }, index) => [field, index]));
  const whole = read.map((item) => {
    const extra = extras.find(({ field }) => field === item.field.name);
    return extra ? { ...item, question: merged(item.question, extra) } : item;
  });
  const ids = new Set(whole.map(({ question }) => question.id));
  if (ids.size < whole.length) {
    throw new FermataError(
      'invalid',
      `Elicitation._meta.${QUESTIONS_KEY}, field id: two questions have the same id.`,
    );
  }
  const place = ({ field }: FormQuestion) => rank.get(field.name) ?? extras.length;
  return whole.sort((a, b) => place(a) - place(b));
}

/** A field that is null there is absent in the question, whatever the form suggests. */
function merged(question: Question, { field: _, ...extra }: Extra): Question {
  const given = Object.entries(extra).filter(([, value]) => value !== null);
  const absent = Object.keys(extra).filter((key) => extra[key] === null);
  const part = check(PartOfQuestion, Object.fromEntries(given), `Elicitation._meta.${QUESTIONS_KEY}`);
  const kept = Object.entries({ ...question, ...part }).filter(([key]) => !absent.includes(key));
  return check(Question, Object.fromEntries(kept), `Elicitation._meta.${QUESTIONS_KEY}`);
}

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
function readFields(schema: unknown): Field[] {
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
    preset: defaultOf(preset),
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

function defaultOf(value: Property['default']): (string | boolean)[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value;
  return [typeof value === 'number' ? String(value) : value];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function wrong(field: string, problem: string): FermataError {
  return new FermataError('invalid', `${WHAT}, field requestedSchema.${field}: ${problem}.`);
}
