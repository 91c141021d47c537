import * as z from 'zod';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import type { Response, ResponseInput } from '../../schema/notification.ts';
import type { Answer, Question } from '../../schema/question.ts';
import { check } from '../check.ts';
import { type Dropped, normalizeQuestions } from '../notifications/questions.ts';
import { joinItems, markedAsRecommended, splitItems } from './joined-items.ts';
import { isRecord, own } from './record.ts';

/** The input of Claude's tool AskUserQuestion. The tool accepts 1 to 4 questions with 2 to 4 options each. */
export interface AskUserQuestionInput {
  questions: {
    question: string;
    header: string;
    options: { label: string; description: string; preview?: string }[];
    multiSelect: boolean;
  }[];
}

/** What goes back as `updatedInput`: the questions unchanged, and the answers keyed by the full text of each. */
export interface AskUserQuestionAnswers {
  questions: unknown[];
  answers: Record<string, string>;
  annotations?: Record<string, { notes: string }>;
}

/**
 * Our questions in Claude's format. Repeated texts get a number, because only the text identifies an answer. Claude's
 * form has no room for ids, times, context, category and recommendations.
 */
export function toAskUserQuestion(questions: readonly Question[]): AskUserQuestionInput {
  const texts = distinct(questions.map((question) => question.text));
  return {
    questions: questions.map((question, index) => ({
      question: texts[index] ?? question.text,
      header: question.header ?? '',
      options: optionsOf(question),
      multiSelect: question.multi ?? false,
    })),
  };
}

/** Claude's questions in our format: objects or plain texts. Entries without text are dropped and reported. */
export function fromAskUserQuestion(
  input: unknown,
  at: string,
): { questions: Question[]; dropped: Dropped[] } {
  const { asked, dropped } = readCall(input, at);
  return { questions: asked.map(({ question }) => question), dropped };
}

/**
 * The answers to a call of AskUserQuestion, as the host returns them. `asked` is the notification made from the call.
 * Skipped questions are left out; a dismissed question gets its reason as a note.
 */
export function toUpdatedInput(
  input: unknown,
  asked: { questions: readonly Question[]; responses: readonly (Response | ResponseInput)[] },
): AskUserQuestionAnswers {
  return answeredCall(readCall(input, ''), asked);
}

/** Like `toUpdatedInput`, for a call that is already read. */
export function answeredCall(
  call: AskCall,
  asked: { questions: readonly Question[]; responses: readonly (Response | ResponseInput)[] },
): AskUserQuestionAnswers {
  const answers: [string, string][] = [];
  const annotations: [string, { notes: string }][] = [];
  for (const response of asked.responses) {
    const item = call.asked.find(({ question }) => question.id === response.questionId);
    if (!item)
      throw new FermataError('invalid', `${WHAT}: this call has no question "${response.questionId}".`);
    if ('answer' in response) {
      const stored = asked.questions.find((question) => question.id === item.question.id);
      answers.push([item.key, spoken(response.answer, item, stored ?? item.question)]);
      if (response.note) annotations.push([item.key, { notes: response.note }]);
    } else if ('reason' in response) {
      annotations.push([item.key, { notes: `Dismissed: ${response.reason}` }]);
    }
  }
  return {
    questions: call.questions,
    answers: Object.fromEntries(answers),
    ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {}),
  };
}

/** Reads `{answers, annotations?}` of a call that was answered elsewhere. A question without an answer gets no response. */
export function fromAskUserQuestionAnswers(input: unknown, answered: unknown): ResponseInput[] {
  const { asked } = readCall(input, '');
  const { answers, annotations = {} } = check(Answered, answered, WHAT);
  refuseUnknown('answers', answers, asked);
  refuseUnknown('annotations', annotations, asked);
  return asked.flatMap((item): ResponseInput[] => {
    const { key, question } = item;
    const values = heard(own(answers, key) ?? '', item);
    const notes = own(annotations, key)?.notes;
    const [first] = values;
    // A note without an answer is an answer in free text.
    if (first === undefined) return notes ? [{ questionId: question.id, answer: notes }] : [];
    const note = notes ? { note: notes } : {};
    return [{ questionId: question.id, answer: question.multi ? values : first, ...note }];
  });
}

const WHAT = 'AskUserQuestion';
const Input = z.object({ questions: z.array(z.unknown()).max(limits.questions) });
const Answered = z.object({
  answers: z.custom<Record<string, string>>(isTexts, 'expected an object with string values'),
  annotations: z
    .custom<Record<string, { notes?: string }>>(isNotes, 'expected an object of {notes}')
    .optional(),
});

/** A question of a call, with its key in `answers` and the labels as the call has them. */
interface Asked {
  key: string;
  question: Question;
  labels: string[];
}

/** A call of AskUserQuestion: its questions with distinct texts, what they ask, and what could not be read. */
export interface AskCall {
  questions: unknown[];
  asked: Asked[];
  dropped: Dropped[];
}

export function readCall(input: unknown, at: string): AskCall {
  const given = check(Input, input, WHAT).questions;
  const entries = given.map(toEntry);
  const { questions, dropped } = normalizeQuestions(entries, at);
  const isKept = (index: number) => !dropped.some(({ value }) => value === entries[index]);
  const kept = given.flatMap((entry, index) => (isKept(index) ? [{ entry, index }] : []));
  const keys = distinct(kept.map(({ entry }) => rawText(entry)));
  const asked = questions.map((question, n) => ({
    key: keys[n] ?? question.text,
    question,
    labels: labelsOf(kept[n]?.entry),
  }));
  const all = [...given];
  kept.forEach(({ entry, index }, n) => {
    all[index] = withText(entry, keys[n]);
  });
  const asGiven = ({ reason, value }: Dropped) => ({ reason, value: given[entries.indexOf(value)] });
  return { questions: all, asked, dropped: dropped.map(asGiven) };
}

function toEntry(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { id, question, header, multiSelect } = value;
  const multi = multiSelect === true;
  return {
    id,
    text: question,
    header,
    options: optionsIn(value),
    multi,
    recommended: markedAsRecommended(labelsOf(value), multi),
  };
}

function optionsOf(question: Question): AskUserQuestionInput['questions'][number]['options'] {
  const options = question.options ?? [];
  const labels = distinct(options.map((option) => option.label));
  return options.map(({ label, description, preview }, index) => ({
    label: labels[index] ?? label,
    description: description ?? '',
    ...(preview === undefined ? {} : { preview }),
  }));
}

/** Claude knows only its own labels; the stored ones may have been trimmed or redacted. */
function spoken(answer: Answer, { question, labels }: Asked, stored: Question): string {
  const values = (Array.isArray(answer) ? answer : [answer]).map((value) => {
    const index = stored.options?.findIndex((option) => option.label === value) ?? -1;
    return labels[index] ?? value;
  });
  return question.multi || values.length > 1 ? joinItems(values) : (values[0] ?? '');
}

function heard(said: string, { question, labels }: Asked): string[] {
  const values = question.multi ? splitItems(said) : [said.trim()].filter((value) => value !== '');
  return values.map((value) => {
    const index = labels.findIndex((label) => label.trim() === value);
    return question.options?.[index]?.label ?? value;
  });
}

function labelsOf(entry: unknown): string[] {
  return optionsIn(entry).map(labelOf);
}

/** The options that can be chosen. */
function optionsIn(entry: unknown): unknown[] {
  if (!isRecord(entry) || !Array.isArray(entry.options)) return [];
  return entry.options.filter((option) => labelOf(option).trim() !== '');
}

const labelOf = (option: unknown) => textOf(isRecord(option) ? option.label : option);

function rawText(entry: unknown): string {
  return textOf(isRecord(entry) ? entry.question : entry);
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function withText(entry: unknown, text: string | undefined): unknown {
  if (text === undefined || rawText(entry) === text) return entry;
  return isRecord(entry) ? { ...entry, question: text } : text;
}

function refuseUnknown(field: string, given: object, asked: readonly Asked[]): void {
  const wrong = Object.keys(given).find((key) => !asked.some((item) => item.key === key));
  if (wrong === undefined) return;
  const shown = JSON.stringify(wrong.slice(0, 100));
  throw new FermataError(
    'invalid',
    `${WHAT}, field ${field}: no question has the text ${shown}. Use the full text.`,
  );
}

function isTexts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string');
}

function isNotes(value: unknown): boolean {
  const isText = (text: unknown) => text === undefined || typeof text === 'string';
  return isRecord(value) && Object.values(value).every((note) => isRecord(note) && isText(note.notes));
}

/** The same texts, with ` (2)`, ` (3)` … appended to repeated ones. */
export function distinct(texts: readonly string[]): string[] {
  const given = new Set(texts);
  const used = new Set<string>();
  return texts.map((text) => {
    let name = text;
    for (let n = 2; used.has(name) || (name !== text && given.has(name)); n++) name = `${text} (${n})`;
    used.add(name);
    return name;
  });
}
