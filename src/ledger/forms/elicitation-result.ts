import * as z from 'zod';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import type { ResolveInput, Response, ResponseInput } from '../../schema/notification.ts';
import type { Answer, Question } from '../../schema/question.ts';
import { check } from '../check.ts';
import type { Choice, Field } from './elicitation-field.ts';
import { type FormQuestion, readForm } from './elicitation-form.ts';
import { joinItems, splitItems } from './joined-items.ts';
import { isRecord, own } from './record.ts';

type Value = string | number | boolean | string[];

/** How a form ends: `accept` with the values of its fields, or without any. */
export interface ElicitationResult {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, Value>;
  _meta?: Record<string, unknown>;
}

/** What was asked and what was said to it. A notification is one. */
export interface AnsweredForm {
  questions?: readonly Question[];
  responses: readonly (Response | ResponseInput)[];
}

/**
 * The result of a form from what a person said: `cancel` where nothing was said to a field that must be filled,
 * `decline` where that was skipped or where all was dismissed, else `accept`.
 */
export function toElicitationResult(form: unknown, answered: AnsweredForm): ElicitationResult {
  const asked = readForm(form, '');
  const { responses } = answered;
  const unknown = responses.find(
    ({ questionId }) => !asked.some(({ question }) => question.id === questionId),
  );
  if (unknown)
    throw new FermataError('invalid', `Elicitation: this form has no question "${unknown.questionId}".`);
  if (responses.length === 0) return { action: 'cancel' };

  const content: [string, Value][] = [];
  const beside: z.infer<typeof Beside> = [];
  for (const item of asked) {
    const response = responses.find(({ questionId }) => questionId === item.question.id);
    if (!response) continue;
    if ('answer' in response) {
      const stored = answered.questions?.find(({ id }) => id === item.question.id) ?? item.question;
      const { values, note } = fill(item, stored, response);
      content.push(...values);
      if (note) beside.push({ questionId: response.questionId, note });
    } else if ('reason' in response) {
      beside.push({ questionId: response.questionId, dismissed: true, reason: response.reason });
    } else {
      beside.push({ questionId: response.questionId, skipped: true });
    }
  }
  const filled = new Set(content.map(([name]) => name));
  const missing = asked.filter(({ field }) => field.required && !filled.has(field.name));
  const isSilent = ({ question }: FormQuestion) =>
    !responses.some(({ questionId }) => questionId === question.id);
  if (missing.some(isSilent)) return { action: 'cancel' };
  const dismissed = responses.find((response) => 'reason' in response);
  if (missing.length > 0 || (dismissed && filled.size === 0)) {
    return { action: 'decline', ...(dismissed ? { _meta: { [REASON_KEY]: dismissed.reason } } : {}) };
  }
  const _meta = beside.length > 0 ? { _meta: { [RESPONSES_KEY]: beside } } : {};
  return { action: 'accept', content: Object.fromEntries(content), ..._meta };
}

/**
 * What a person said from the result of a form: `decline` dismisses, `cancel` is no answer (undefined: it stays
 * open), and a field that was left empty has none either.
 */
export function fromElicitationResult(form: unknown, result: unknown): ResolveInput | undefined {
  const { action, content, _meta } = check(Result, result, 'Elicitation result');
  const meta = isRecord(_meta) ? _meta : {};
  if (action === 'cancel') return undefined;
  if (action === 'decline') return { dismissed: true, reason: reasonIn(meta[REASON_KEY]) };
  const asked = readForm(form, '');
  const values = isRecord(content) ? content : {};
  refuseUnknown(values, asked);
  const beside = check(Beside, meta[RESPONSES_KEY] ?? [], `Elicitation result._meta.${RESPONSES_KEY}`);
  const responses = asked.flatMap((item): ResponseInput[] => {
    const said = readAnswer(item, values);
    const more = beside.find(({ questionId }) => questionId === item.question.id);
    if (said) return [more && 'note' in more ? { ...said, note: more.note } : said];
    return more && !('note' in more) ? [more] : [];
  });
  return responses.length > 0 ? { responses } : undefined;
}

/** Where a result keeps what its form has no field for: notes, and what was skipped or dismissed by name. */
const RESPONSES_KEY = 'fermata/responses';
const REASON_KEY = 'fermata/reason';

const Result = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.custom<unknown>(
    (value) => value === undefined || value === null || isRecord(value),
    'expected an object',
  ),
  _meta: z.unknown(),
});

const reason = z.string().trim().min(1).max(limits.reason);
const Beside = z
  .array(
    z.union([
      z.strictObject({ questionId: z.string(), note: z.string().max(limits.note) }),
      z.strictObject({ questionId: z.string(), skipped: z.literal(true) }),
      z.strictObject({ questionId: z.string(), dismissed: z.literal(true), reason }),
    ]),
  )
  .max(limits.questions);

function reasonIn(value: unknown): string {
  return reason.safeParse(value).data ?? 'Declined in the form.';
}

/** The values of one answer, and its note where no field takes it. */
function fill(
  { field, other, question }: FormQuestion,
  stored: Question,
  { answer, note }: { answer: Answer; note?: string },
): { values: [string, Value][]; note?: string } {
  const said = Array.isArray(answer) ? answer : [answer];
  if (field.choices.length === 0) return { values: [[field.name, textValue(field, question, said)]], note };

  const chosen = said.flatMap((value) => choiceOf(field, stored, value)?.value ?? []);
  const free = said.filter((value) => !choiceOf(field, stored, value));
  if (free.length > 0 && !other) throw notOffered(field, free[0] ?? '');
  const main: [string, Value][] =
    chosen.length > 0 ? [[field.name, many(field) ? chosen.map(String) : (chosen[0] ?? '')]] : [];
  if (!other) return { values: main, note };

  if (other.takes === 'instead') {
    const text = free.length > 0 || note ? [many(field) ? joinItems(said) : joinLines(said), note] : [];
    return { values: [...main, ...textField(other.name, joinLines(text))] };
  }
  if (many(field)) return { values: [...main, ...textField(other.name, joinItems(free))], note };
  if (free.length === 0) return { values: [...main, ...textField(other.name, note ?? '')] };
  const none: [string, Value][] = other.none === undefined ? [] : [[field.name, other.none]];
  return {
    values: [...none, ...textField(other.name, free.length > 1 ? joinItems(free) : (free[0] ?? ''))],
    note,
  };
}

function readAnswer({ field, other, question }: FormQuestion, values: Record<string, unknown>) {
  const questionId = question.id;
  const chosen = listOf(field.name, own(values, field.name)).map((value) => labelOf(field, question, value));
  const text = other ? listOf(other.name, own(values, other.name)).join('\n').trim() : '';
  const picked = chosen.filter((value) => value !== other?.none);
  if (field.choices.length === 0) {
    const said = question.multi ? picked.flatMap(splitItems) : picked;
    return answered(questionId, question, said);
  }
  if (!text) return answered(questionId, question, chosen);
  if (other?.takes === 'instead')
    return answered(questionId, question, question.multi ? splitItems(text) : [text]);
  if (question.multi) return answered(questionId, question, [...picked, ...splitItems(text)]);
  if (picked.length === 0) return answered(questionId, question, [text]);
  const said = answered(questionId, question, picked);
  return said && { ...said, note: text };
}

function answered(questionId: string, question: Question, values: string[]) {
  const [first] = values;
  if (first === undefined) return undefined;
  if (values.length > 1 && !question.multi) {
    throw new FermataError(
      'invalid',
      `Elicitation result, field ${questionId}: it takes one value, not ${values.length}.`,
    );
  }
  return { questionId, answer: question.multi ? values : first };
}

function listOf(name: string, value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values
    .filter((item) => item !== undefined && item !== null)
    .map((item: unknown) => {
      if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
        return String(item).trim();
      throw new FermataError(
        'invalid',
        `Elicitation result, field content.${name.slice(0, 100)}: expected a text or a list of texts.`,
      );
    })
    .filter((item) => item !== '');
}

function labelOf(field: Field, question: Question, value: string): string {
  const index = field.choices.findIndex((choice) => String(choice.value).trim() === value);
  return (
    field.choices[index]?.label ?? question.options?.find((option) => option.id === value)?.label ?? value
  );
}

/** A stored label may have been cleaned of a secret; the place in the list tells which choice it was. */
function choiceOf(field: Field, stored: Question, value: string): Choice | undefined {
  const byLabel = field.choices.find((choice) => choice.label === value);
  if (byLabel || stored.options?.length !== field.choices.length) return byLabel;
  return field.choices[stored.options.findIndex((option) => option.label === value)];
}

function textValue(field: Field, question: Question, said: string[]): Value {
  const text = question.multi || said.length > 1 ? joinItems(said) : (said[0] ?? '');
  if (field.kind === 'text') return text;
  const number = Number(text);
  const fits =
    text.trim() !== '' && (field.kind === 'integer' ? Number.isInteger(number) : Number.isFinite(number));
  if (fits) return number;
  const kind = field.kind === 'integer' ? 'a whole number' : 'a number';
  throw new FermataError(
    'invalid',
    `Elicitation, field ${field.name}: it takes ${kind}, not "${text.slice(0, 100)}".`,
  );
}

function textField(name: string, text: string): [string, Value][] {
  return text === '' ? [] : [[name, text]];
}

const many = (field: Field) => field.kind === 'many';
const joinLines = (parts: (string | undefined)[]) => parts.filter((part) => part).join('\n');

function refuseUnknown(values: Record<string, unknown>, asked: FormQuestion[]): void {
  const known = new Set(asked.flatMap(({ field, other }) => [field.name, other?.name]));
  const wrong = Object.keys(values).find((name) => !known.has(name));
  if (wrong === undefined) return;
  throw new FermataError(
    'invalid',
    `Elicitation result, field content.${wrong.slice(0, 100)}: the form has no such field.`,
  );
}

function notOffered(field: Field, value: string): FermataError {
  const labels = field.choices.map((choice) => choice.label).join(', ');
  return new FermataError(
    'invalid',
    `Elicitation, field ${field.name}: "${value.slice(0, 100)}" is not offered. Choose from: ${labels}.`,
  );
}
