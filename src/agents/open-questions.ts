import { isRecord, type JsonRecord } from '../ledger/forms/record.ts';
import { type Dropped, normalizeQuestions } from '../ledger/questions.ts';
import { FermataError } from '../schema/error.ts';
import { limits } from '../schema/limits.ts';
import type { Question } from '../schema/question.ts';
import { findObject, findQuotedObject } from './find-json.ts';

export interface OpenQuestions {
  /** In lower case; null where the answer has none. */
  status: string | null;
  summary?: string;
  questions: Question[];
  dropped: Dropped[];
}

/**
 * The open questions in an agent's answer: the first JSON object with `open_questions` or `openQuestions`, wherever
 * it stands in the text. Without one, the first with a `status`.
 *
 * @example extractOpenQuestions('Sure! {"status":"failed","open_questions":["Which database?"]}')
 */
export function extractOpenQuestions(text: string, at = new Date().toISOString()): OpenQuestions {
  const found =
    findObject(text, hasQuestions) ?? findObject(text, hasStatus) ?? findQuotedObject(text, hasQuestions);
  const { object = {}, root = {} } = found ?? {};
  const status = textOf(object.status) ?? textOf(root.status);
  const summary = textOf(object.summary) ?? textOf(root.summary);
  return {
    status: status?.toLowerCase() ?? null,
    ...(summary === undefined ? {} : { summary }),
    ...openQuestionsOf(object, at),
  };
}

/** The questions of one object, as far as they can be read; snake case wins where both have entries. */
export function openQuestionsOf(object: JsonRecord, at = new Date().toISOString()) {
  return readable(entriesOf(object), at);
}

function entriesOf(object: JsonRecord): readonly unknown[] {
  const [snake, camel] = [object.open_questions, object.openQuestions].map(asList);
  return snake && snake.length > 0 ? snake : (camel ?? []);
}

function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** One entry that breaks a limit must not take the others with it. */
function readable(entries: readonly unknown[], at: string): { questions: Question[]; dropped: Dropped[] } {
  const kept: unknown[] = [];
  const broken: Dropped[] = [];
  for (const value of entries) {
    const reason = kept.length < limits.questions ? problemOf(value, at) : tooMany;
    if (reason === undefined) kept.push(value);
    else broken.push({ reason, value });
  }
  const { questions, dropped } = normalizeQuestions(kept, at);
  return { questions, dropped: [...dropped, ...broken] };
}

function problemOf(entry: unknown, at: string): string | undefined {
  try {
    normalizeQuestions([entry], at);
    return undefined;
  } catch (error) {
    if (error instanceof FermataError) return error.message.replace(/^Question 1[:,] /, '');
    throw error;
  }
}

const tooMany = `more than ${limits.questions} questions`;
const hasQuestions = (object: JsonRecord) => isList(object.open_questions) || isList(object.openQuestions);
const isList = (value: unknown) => Array.isArray(value) || typeof value === 'string' || isRecord(value);
const hasStatus = (object: JsonRecord) => textOf(object.status) !== undefined;

function textOf(value: unknown): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim() : '';
  return trimmed === '' ? undefined : trimmed;
}
