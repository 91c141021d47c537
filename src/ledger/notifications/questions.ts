import { hash } from 'node:crypto';
import { endsInBlank } from '../../schema/blank.ts';
import { FermataError } from '../../schema/error.ts';
import { isApproval } from '../../schema/is-question.ts';
import { limits } from '../../schema/limits.ts';
import type { CreateInput } from '../../schema/notification.ts';
import { Answer, Category, type Option, Question } from '../../schema/question.ts';
import { isRecord } from '../forms/record.ts';
import { kindOf } from './holds.ts';

/** An entry that could not become a question, and why. */
export interface Dropped {
  reason: string;
  value: unknown;
}

/** The questions made here, so that later functions do not read them again. */
const made = new WeakSet<object>();

/**
 * Turns an agent's output into questions: plain strings become texts, missing ids are created and repeated ones made
 * unique. Entries without text, and options without a label, are dropped and reported.
 */
export function normalizeQuestions(
  entries: readonly unknown[],
  at: string,
): { questions: Question[]; dropped: Dropped[] } {
  const dropped: Dropped[] = [];
  const kept: Record<string, unknown>[] = [];
  for (const value of entries) {
    const entry = typeof value === 'string' ? { text: value } : value;
    if (!isRecord(entry)) dropped.push({ reason: 'not a question (expected an object or a string)', value });
    else if (textOf(entry) === '') dropped.push({ reason: 'no text', value });
    else kept.push(entry);
  }
  const given = kept.map((entry) => idOf(entry));
  const taken = new Set(given.filter((id) => id !== ''));
  const used = new Set<string>();
  const questions = kept.map((entry, index) => {
    const id = uniqueId(given[index] ?? '', index, taken, used);
    used.add(id);
    if (isMade(entry) && entry.id === id) return entry;
    const question = toQuestion(entry, id, index, at, dropped);
    made.add(question);
    return question;
  });
  return { questions, dropped };
}

const isMade = (entry: object): entry is Question => made.has(entry);

/** The same question has the same key, whatever its spacing or capitals. */
export function questionKey(question: Pick<Question, 'text' | 'options' | 'multi' | 'verbatim'>): string {
  const text = question.text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s?.!:])[\s?.!:]+$/, '')
    .trim();
  const labels = (question.options ?? []).map((option) => option.label.trim().toLowerCase()).sort();
  return keyOf([text, labels, question.multi ?? false, ...verbatimKey(question)]);
}

/**
 * Two askings with one key are the same, whichever run or life of an agent asks. A permission is the same only for
 * exactly the same input, as it was asked, before secrets are removed.
 */
export function askedKey(
  input: Pick<CreateInput, 'source' | 'notice' | 'resume'>,
  questions: Question[],
): string {
  if (isApproval({ kind: kindOf(input) }))
    return keyOf(questions.map((q) => [q.text, q.context ?? '', ...verbatimKey(q)]));
  return keyOf(questions.map((question) => [question.id, questionKey(question)]));
}

/** Two requests with one key ask the same thing for the same asker. */
export function requestKey(
  input: Pick<CreateInput, 'source' | 'sourceId' | 'notice' | 'resume' | 'gate' | 'key'>,
  questions: Question[],
  asked: string | null,
): string {
  const { gate, key } = input;
  if (gate) return keyOf([input.source, input.sourceId, gate.kind, gate.round]);
  return keyOf([
    input.source,
    input.sourceId,
    input.resume?.run ?? '',
    ...questions.map((q) => [q.text, q.context ?? '', q.options ?? [], q.multi ?? false, ...verbatimKey(q)]),
    // Two inputs that differ only in a secret look the same here, but are two approvals.
    ...(isApproval({ kind: kindOf(input) }) ? [asked] : []),
    // If the key already names the asker, it is not needed twice.
    ...(key === undefined || key === input.sourceId ? [] : [key]),
  ]);
}

/** What is approved is part of the question: the same words about another command ask something else. */
const verbatimKey = ({ verbatim }: Pick<Question, 'verbatim'>) =>
  verbatim ? [verbatim.map(({ label, text }) => [label, text])] : [];

function toQuestion(
  entry: Record<string, unknown>,
  id: string,
  index: number,
  at: string,
  dropped: Dropped[],
): Question {
  const place = `Question ${index + 1}`;
  const text = textOf(entry);
  bounded(text, limits.questionText, `${place}: the text`, 'Move the long part to a file and name the file.');
  const options = optionsOf(entry.options, place, dropped);
  const candidate = {
    id,
    text,
    createdAt: timeOf(entry.createdAt) ?? at,
    ...optional('header', string(entry.header)?.slice(0, limits.header)),
    ...optional(
      'options',
      options?.map(({ option }) => option),
    ),
    ...optional('multi', entry.multi === true || entry.multiSelect === true ? true : undefined),
    ...optional('recommended', parsed(Answer, entry.recommended)),
    ...optional('context', string(entry.context)),
    ...optional('verbatim', entry.verbatim ?? undefined),
    ...optional('category', parsed(Category, entry.category)),
  };
  const result = Question.safeParse(candidate);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const message = issue?.message ?? 'wrong value';
  const [field, nth, ...rest] = issue?.path ?? [];
  const option = field === 'options' && typeof nth === 'number' ? options?.[nth] : undefined;
  const where = option
    ? `option ${option.position}: ${rest.join('.')}`
    : `field ${issue?.path.join('.') ?? '?'}`;
  throw new FermataError('invalid', `${place}, ${where}: ${message}.`);
}

/** The options that have a label, with their position in the list. */
function optionsOf(value: unknown, place: string, dropped: Dropped[]) {
  if (!Array.isArray(value)) return undefined;
  if (value.length > limits.options) {
    throw new FermataError(
      'invalid',
      `${place} has ${value.length} options; at most ${limits.options} are allowed.`,
    );
  }
  const options = value.flatMap((entry: unknown, index) => {
    const given = isRecord(entry) ? entry : { label: entry };
    const position = index + 1;
    const id = word(given.id);
    const label = word(given.label) ?? id;
    if (label === undefined) {
      dropped.push({ reason: `${place}, option ${position}: no label`, value: entry });
      return [];
    }
    const option = {
      label,
      ...optional('id', id),
      ...optional('description', string(given.description)),
      ...optional('preview', string(given.preview)),
    };
    return [{ position, option }];
  });
  return options.length > 0 ? options : undefined;
}

function uniqueId(given: string, index: number, taken: Set<string>, used: Set<string>): string {
  if (given !== '' && !used.has(given)) return given;
  const base = given === '' ? 'q' : `${given}-`;
  for (let n = given === '' ? index + 1 : 2; ; n++) {
    const id = `${base}${n}`;
    if (!used.has(id) && !taken.has(id)) return id;
  }
}

export function bounded(text: string, most: number, what: string, advice: string): void {
  if (text.length <= most) return;
  throw new FermataError(
    'invalid',
    `${what} has ${text.length} characters; at most ${most} are allowed. ${advice}`,
  );
}

function idOf(entry: Record<string, unknown>): string {
  return (word(entry.id) ?? '').slice(0, limits.id - 8).trim();
}

function textOf(entry: Record<string, unknown>): string {
  return (string(entry.text) ?? string(entry.question) ?? '').trim();
}

const iso8601 = /^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/;

function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !iso8601.test(value) || Number.isNaN(Date.parse(value))) return undefined;
  return value;
}

/** A name: a text, or a number as text. */
const word = (value: unknown) => string(typeof value === 'number' ? String(value) : value)?.trim();
const string = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);
const optional = <T>(key: string, value: T | undefined) => (value === undefined ? {} : { [key]: value });

function parsed<T>(
  schema: { safeParse(v: unknown): { success: boolean; data?: T } },
  value: unknown,
): T | undefined {
  if (value === undefined) return undefined;
  const result = schema.safeParse(value);
  return result.success ? result.data : undefined;
}

function keyOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 32);
}

/** The option that a text names, by label or id; ignores case if there is no exact match. */
export function optionNamed(options: Option[], text: string): Option | undefined {
  const wanted = text.toLowerCase();
  return (
    options.find((option) => option.label === text || option.id === text) ??
    options.find((option) => option.label.toLowerCase() === wanted || option.id?.toLowerCase() === wanted)
  );
}

/** The option that an answer names without filling in its blank, so that it is not an answer yet. */
export function blankIn(options: Option[], given: Answer): { label: string; message: string } | undefined {
  const label = [given]
    .flat()
    .map((value) => optionNamed(options, value.trim())?.label)
    .find((named) => named !== undefined && endsInBlank(named));
  if (label === undefined) return undefined;
  return { label, message: `"${label}" has a blank to fill in. Write the whole answer.` };
}
