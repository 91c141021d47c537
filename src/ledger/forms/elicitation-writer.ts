import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { limits } from '../../schema/limits.ts';
import { type Answer, type Option, Question } from '../../schema/question.ts';
import { verbatimText } from '../../schema/verbatim.ts';
import { check } from '../check.ts';
import {
  NO_CONTEXT,
  NONE_OF_THE_ABOVE,
  QUESTIONS_KEY,
  readForm,
  TITLE_SEPARATOR,
} from './elicitation-form.ts';
import { joinItems } from './joined-items.ts';
import type { JsonRecord } from './record.ts';

export interface ElicitationForm {
  message: string;
  requestedSchema: { type: 'object'; properties: Record<string, JsonRecord>; required?: string[] };
  _meta: JsonRecord;
}

/** How a form names its fields and where it puts things; otherwise the formats agree. */
interface FormStyle {
  /** Field names: the question's id, or a number. */
  names: 'id' | 'number';
  otherSuffix: '_other' | '_custom' | '_note';
  /** Where a choice's description goes: its own field, or after the label in the title. */
  description: 'own' | 'title';
  /** Codex has the text as title and the header as description, and a choice that points to the note. */
  codex: boolean;
}

/** Writes the questions as one form. What has no field goes into `_meta`, so that reading the form gives the same questions. */
function writeForm(questions: readonly Question[], style: FormStyle, message?: string): ElicitationForm {
  const fields = nameFields(questions, style);
  const properties = fields.flatMap(({ question, name }) => writeQuestion(question, name, style));
  const required = fields.filter(({ question }) => style.codex || !question.options).map(({ name }) => name);
  const form = {
    message: message ?? messageOf(questions),
    requestedSchema: {
      type: 'object' as const,
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
    },
  };
  const read = readForm(form, '');
  const extras = fields.map(({ question, name }) => {
    const suggested = read.find(({ field }) => field.name === name)?.question;
    return { field: name, ...difference(question, suggested) };
  });
  return { ...form, _meta: { [QUESTIONS_KEY]: extras } };
}

/** Names that every client accepts and that never look like another field's text field. */
function nameFields(
  questions: readonly Question[],
  style: FormStyle,
): { question: Question; name: string }[] {
  const used = new Set<string>();
  return questions.map((question, index) => {
    let name = style.names === 'number' ? `question_${index}` : question.id;
    while (used.has(name) || /(_other|_custom|_note)$|^\d+$|^__proto__$|^\s*$/.test(name)) name = `${name}_`;
    used.add(name);
    return { question, name };
  });
}

function writeQuestion(question: Question, name: string, style: FormStyle): [string, JsonRecord][] {
  const { text, header, options, multi, recommended } = question;
  const title = style.codex ? text : header;
  const description = style.codex ? header : text;
  const shown = { ...(title ? { title } : {}), ...(description ? { description } : {}) };
  const codex = style.codex ? { _meta: { codex: { isOther: pointsToOther(options), isSecret: false } } } : {};
  const values = valuesOf(recommended);
  if (!options) {
    const text = multi ? joinItems(values) : values[0];
    return [[name, { type: 'string', ...shown, ...codex, ...preset(text) }]];
  }
  const labels = new Set(options.map((option) => option.label));
  const chosen = values.filter((value) => labels.has(value));
  const free = values.filter((value) => !labels.has(value));
  const choices = choicesOf(options, style);
  const field = multi
    ? { type: 'array', ...shown, ...codex, items: { anyOf: choices }, ...preset(chosen) }
    : { type: 'string', ...shown, ...codex, oneOf: choices, ...preset(chosen[0]) };
  return [
    [name, field],
    [name + style.otherSuffix, otherField(question, name, style, free)],
  ];
}

function otherField(question: Question, name: string, style: FormStyle, free: string[]): JsonRecord {
  const hint = question.multi
    ? 'Your own answer, in addition to your choices (optional).'
    : 'Your own answer, or a note on your choice (optional).';
  const codex = style.codex
    ? { _meta: { codex: { questionId: name, role: 'user_note', isSecret: false } } }
    : {};
  return {
    type: 'string',
    title: 'Other',
    description: hint,
    ...codex,
    ...preset(free.length > 0 ? joinItems(free) : undefined),
  };
}

function choicesOf(options: readonly Option[], style: FormStyle): JsonRecord[] {
  const seen = new Set<string>();
  const once = options.filter(({ label }) => !seen.has(label) && seen.add(label));
  const choices = once.map(({ label, description }) => {
    if (!description) return { const: label, title: label };
    if (style.description === 'own') return { const: label, title: label, description };
    return { const: label, title: label + TITLE_SEPARATOR + description };
  });
  const pointer = { const: NONE_OF_THE_ABOVE, title: NONE_OF_THE_ABOVE };
  return style.codex && pointsToOther(options) ? [...choices, pointer] : choices;
}

/** Not if the question has such an option itself. */
function pointsToOther(options: readonly Option[] | undefined): boolean {
  return options !== undefined && !options.some(({ label }) => label === NONE_OF_THE_ABOVE);
}

function preset(value: Answer | undefined): JsonRecord {
  return value === undefined || value.length === 0 ? {} : { default: value };
}

function valuesOf(answer: Answer | undefined): string[] {
  if (answer === undefined) return [];
  return Array.isArray(answer) ? answer : [answer];
}

function messageOf(questions: readonly Question[]): string {
  const [only] = questions;
  if (questions.length === 1 && only) return contextOf(only) || only.text;
  const contexts = questions.filter(contextOf).map((q) => `${q.header ?? q.text}\n${contextOf(q)}`);
  return contexts.join('\n\n') || NO_CONTEXT;
}

function contextOf({ context, verbatim = [] }: Question): string {
  return [context ?? [], verbatim.map(verbatimText)].flat(2).join('\n');
}

/** The changes that turn `suggested` into `question`; null removes a field. */
function difference(question: Question, suggested: Question | undefined): JsonRecord {
  const [want, have]: JsonRecord[] = [plain(question), plain(suggested ?? {})];
  const different = Object.keys(Question.shape).filter((key) => !isDeepStrictEqual(want?.[key], have?.[key]));
  return Object.fromEntries(different.map((key) => [key, want?.[key] ?? null]));
}

function plain(value: object): JsonRecord {
  return JSON.parse(JSON.stringify(value));
}

/** Which form it looks like: our own, or that of the ACP adapters of Claude and Codex. */
export type AcpStyle = 'fermata' | 'claude' | 'codex';

export interface AcpElicitation extends ElicitationForm {
  mode: 'form';
  sessionId: string;
  toolCallId?: string;
}

/** Our questions as the parameters of ACP's `elicitation/create`. */
export function toAcpElicitation(
  questions: readonly Question[],
  to: { sessionId: string; toolCallId?: string; message?: string; style?: AcpStyle },
): AcpElicitation {
  const { sessionId, toolCallId, message, style = 'fermata' } = to;
  const form = writeForm(questions, styles[style], message);
  return { mode: 'form', sessionId, ...(toolCallId === undefined ? {} : { toolCallId }), ...form };
}

/** The questions of an ACP form, with the session and the tool call that wait for the answer. */
export function fromAcpElicitation(
  params: unknown,
  at: string,
): { questions: Question[]; sessionId?: string; toolCallId?: string } {
  const { sessionId, toolCallId } = check(Scope, params, 'Elicitation');
  return {
    questions: readForm(params, at).map(({ question }) => question),
    ...(sessionId ? { sessionId } : {}),
    ...(toolCallId ? { toolCallId } : {}),
  };
}

const Scope = z.object({
  sessionId: z.string().max(limits.id).nullish(),
  toolCallId: z.string().max(limits.id).nullish(),
});

const styles: Record<AcpStyle, FormStyle> = {
  fermata: { names: 'id', otherSuffix: '_other', description: 'own', codex: false },
  claude: { names: 'number', otherSuffix: '_custom', description: 'own', codex: false },
  codex: { names: 'id', otherSuffix: '_note', description: 'own', codex: true },
};

/**
 * Our questions as the parameters of MCP's `elicitation/create`. A choice has only `const` and `title`, with the
 * description in the title, because strict clients (Codex) refuse anything more.
 */
export function toMcpElicitation(questions: readonly Question[], message?: string): ElicitationForm {
  return writeForm(
    questions,
    { names: 'id', otherSuffix: '_other', description: 'title', codex: false },
    message,
  );
}

/** The questions of an MCP form, ours or another server's. */
export function fromMcpElicitation(params: unknown, at: string): Question[] {
  return readForm(params, at).map(({ question }) => question);
}
