import * as z from 'zod';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import { Reason, type ResolveInput, type Response, type ResponseInput } from '../../schema/notification.ts';
import type { Answer, Question } from '../../schema/question.ts';
import { check } from '../check.ts';
import { type Choice, type Field, type FormQuestion, type OtherField, readForm } from './elicitation-form.ts';
import { joinItems, splitItems } from './joined-items.ts';
import { isRecord, own } from './record.ts';

/** How a form ends: `accept` with the values of its fields, or without any. */
export interface ElicitationResult {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, Value>;
  _meta?: Record<string, unknown>;
}

/** Questions and their responses. A notification is one. */
export interface AnsweredForm {
  questions?: readonly Question[];
  responses: readonly (Response | ResponseInput)[];
}

/**
 * The result of a form from a person's responses: `cancel` if a required field has no answer, `decline` if a required
 * field was skipped or everything was dismissed, otherwise `accept`.
 */
export function toElicitationResult(form: unknown, answered: AnsweredForm): ElicitationResult {
  return resultOfForm(readForm(form, ''), answered);
}

/** Like `toElicitationResult`, for a form that is already read. */
export function resultOfForm(asked: FormQuestion[], answered: AnsweredForm): ElicitationResult {
  const { responses } = answered;
  refuseUnasked(responses, asked);
  const content: [string, Value][] = [];
  const beside: Beside[] = [];
  for (const item of asked) {
    const response = responseTo(item, responses);
    if (!response) continue;
    const { questionId } = response;
    if ('answer' in response) {
      const stored = answered.questions?.find(({ id }) => id === questionId);
      const { values, note } = valuesFor(item, stored ?? item.question, response);
      content.push(...values);
      if (note) beside.push({ questionId, note });
    } else {
      beside.push(
        'reason' in response
          ? { questionId, dismissed: true, reason: response.reason }
          : { questionId, skipped: true },
      );
    }
  }
  const filled = new Set(content.map(([name]) => name));
  const empty = asked.filter(
    ({ field, other }) => field.required && !filled.has(field.name) && !filled.has(other?.name ?? field.name),
  );
  if (responses.length === 0 || empty.some((item) => !responseTo(item, responses)))
    return { action: 'cancel' };
  const dismissed = beside.find((response) => 'dismissed' in response);
  if (empty.length > 0 || (dismissed && filled.size === 0)) {
    return { action: 'decline', ...(dismissed ? { _meta: { [REASON_KEY]: dismissed.reason } } : {}) };
  }
  const _meta = beside.length > 0 ? { _meta: { [RESPONSES_KEY]: beside } } : {};
  return { action: 'accept', content: Object.fromEntries(content), ..._meta };
}

/**
 * A person's responses from the result of a form: `decline` dismisses, `cancel` is not an answer (undefined: it stays
 * open), and an empty field has no response.
 */
export function fromElicitationResult(form: unknown, result: unknown): ResolveInput | undefined {
  const { action, content, _meta } = check(Result, result, WHAT);
  const meta = isRecord(_meta) ? _meta : {};
  if (action === 'cancel') return undefined;
  if (action === 'decline')
    return { dismissed: true, reason: Reason.safeParse(meta[REASON_KEY]).data ?? DECLINED };
  const asked = readForm(form, '');
  const values = content ?? {};
  refuseUnknownFields(values, asked);
  const beside = check(
    z.array(Beside).max(limits.questions),
    meta[RESPONSES_KEY] ?? [],
    `${WHAT}._meta.${RESPONSES_KEY}`,
  );
  const responses = asked.flatMap((item): ResponseInput[] => {
    const said = answerIn(values, item);
    const more = beside.find(({ questionId }) => questionId === item.question.id);
    if (said) return [more && 'note' in more ? { ...said, note: more.note } : said];
    return more && !('note' in more) ? [more] : [];
  });
  return responses.length > 0 ? { responses } : undefined;
}

const WHAT = 'Elicitation result';
const DECLINED = 'Declined in the form.';
/** The key in `_meta` of the result for what its form has no field for. */
const RESPONSES_KEY = 'fermata/responses';
const REASON_KEY = 'fermata/reason';

const Result = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.custom<Record<string, unknown>>(isRecord, 'expected an object').nullish(),
  _meta: z.unknown().optional(),
});

/** A note that fits no field, and which questions were skipped or dismissed. */
const Beside = z.union([
  z.strictObject({ questionId: z.string(), note: z.string().min(1).max(limits.note) }),
  z.strictObject({ questionId: z.string(), skipped: z.literal(true) }),
  z.strictObject({ questionId: z.string(), dismissed: z.literal(true), reason: Reason }),
]);
type Beside = z.infer<typeof Beside>;

function responseTo({ question }: FormQuestion, responses: AnsweredForm['responses']) {
  return responses.find(({ questionId }) => questionId === question.id);
}

function refuseUnasked(responses: AnsweredForm['responses'], asked: FormQuestion[]): void {
  const ids = new Set(asked.map(({ question }) => question.id));
  const wrong = responses.find(({ questionId }) => !ids.has(questionId));
  if (wrong)
    throw new FermataError('invalid', `Elicitation: this form has no question "${wrong.questionId}".`);
}

function refuseUnknownFields(values: Record<string, unknown>, asked: FormQuestion[]): void {
  const known = new Set(asked.flatMap(({ field, other }) => [field.name, other?.name]));
  const wrong = Object.keys(values).find((name) => !known.has(name));
  if (wrong === undefined) return;
  throw new FermataError(
    'invalid',
    `${WHAT}, field content.${wrong.slice(0, 100)}: the form has no such field.`,
  );
}

/** What a field of a form can hold. */
type Value = string | number | boolean | string[];

interface Said {
  questionId: string;
  answer: Answer;
  note?: string;
}

/** The values of one answer by field, and its note if no field takes it. */
function valuesFor(
  { field, other, question }: FormQuestion,
  stored: Question,
  { answer, note }: { answer: Answer; note?: string },
): { values: [string, Value][]; note?: string } {
  const said = Array.isArray(answer) ? answer : [answer];
  if (field.choices.length === 0) {
    const main: [string, Value] = [field.name, textValue(field, question, said)];
    return other ? { values: [main, ...textField(other.name, note)] } : { values: [main], note };
  }

  const chosen = said.flatMap((value) => choiceOf(value, field, stored)?.value ?? []);
  const free = said.filter((value) => !choiceOf(value, field, stored));
  const main = chosenValue(field, chosen);
  if (!other) {
    if (free[0] !== undefined) throw notOffered(field, free[0]);
    return { values: main, note };
  }
  if (other.takes === 'instead')
    return { values: [...main, ...replacing(other, question, said, free, note)] };
  if (field.kind === 'one' && free.length === 0) return { values: [...main, ...textField(other.name, note)] };
  const pointer = other.none === undefined || main.length > 0 ? [] : chosenValue(field, [other.none]);
  return { values: [...main, ...pointer, ...textField(other.name, oneText(question, free))], note };
}

/** The answer to one question from the values of a form; undefined if its fields are empty. */
function answerIn(
  values: Record<string, unknown>,
  { field, other, question }: FormQuestion,
): Said | undefined {
  const chosen = textsOf(field.name, own(values, field.name)).map((value) => labelOf(value, field));
  const text = other ? textsOf(other.name, own(values, other.name)).join('\n') : '';
  if (field.choices.length === 0) {
    const said = answer(question, question.multi ? chosen.flatMap(splitItems) : chosen);
    return said && text !== ''
      ? { ...said, note: text }
      : (said ?? answer(question, text === '' ? [] : [text]));
  }
  if (!other || text === '') return answer(question, chosen);

  const free = question.multi ? splitItems(text) : [text];
  const picked = chosen.filter((label) => label !== other.none);
  if (other.takes === 'instead' || picked.length === 0) return answer(question, free);
  if (question.multi) return answer(question, [...picked, ...free]);
  const said = answer(question, picked);
  return said && { ...said, note: text };
}

function chosenValue(field: Field, chosen: (string | boolean)[]): [string, Value][] {
  const [first] = chosen;
  if (first === undefined) return [];
  return [[field.name, field.kind === 'many' ? chosen.map(String) : first]];
}

/** Such a text field overrides the choice, because free text and notes need all of it. */
function replacing(other: OtherField, question: Question, said: string[], free: string[], note?: string) {
  if (free.length === 0 && !note) return [];
  return textField(other.name, [oneText(question, said), note].filter(Boolean).join('\n'));
}

function textField(name: string, text: string | undefined): [string, Value][] {
  return text ? [[name, text]] : [];
}

function textValue(field: Field, question: Question, said: string[]): Value {
  const text = oneText(question, said);
  if (field.kind === 'text') return text;
  const number = Number(text);
  const fits = field.kind === 'integer' ? Number.isInteger(number) : Number.isFinite(number);
  if (fits && text.trim() !== '') return number;
  const kind = field.kind === 'integer' ? 'a whole number' : 'a number';
  throw new FermataError(
    'invalid',
    `Elicitation, field ${field.name}: it takes ${kind}, not "${text.slice(0, 100)}".`,
  );
}

function oneText(question: Question, said: string[]): string {
  return question.multi || said.length > 1 ? joinItems(said) : (said[0] ?? '');
}

/** A stored label may have been redacted; its position in the list identifies the choice. */
function choiceOf(value: string, field: Field, stored: Question): Choice | undefined {
  const byLabel = field.choices.find((choice) => choice.label === value);
  if (byLabel || stored.options?.length !== field.choices.length) return byLabel;
  return field.choices[stored.options.findIndex((option) => option.label === value)];
}

function labelOf(value: string, field: Field): string {
  return field.choices.find((choice) => String(choice.value).trim() === value)?.label ?? value;
}

function textsOf(name: string, value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value ?? ''];
  return values
    .map((item) => {
      if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
        return String(item).trim();
      throw new FermataError(
        'invalid',
        `Elicitation result, field content.${name.slice(0, 100)}: expected a string or a list of strings.`,
      );
    })
    .filter((text) => text !== '');
}

function answer({ id, multi }: Question, values: string[]): Said | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  if (values.length > 1 && !multi) {
    throw new FermataError(
      'invalid',
      `Elicitation result, question ${id}: it takes one answer, not ${values.length}.`,
    );
  }
  return { questionId: id, answer: multi ? values : first };
}

function notOffered(field: Field, value: string): FermataError {
  const labels = field.choices.map((choice) => choice.label).join(', ');
  return new FermataError(
    'invalid',
    `Elicitation, field ${field.name}: "${value.slice(0, 100)}" is not offered. Choose from: ${labels}.`,
  );
}
