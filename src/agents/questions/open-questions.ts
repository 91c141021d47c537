import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';
import { asksSomething, openQuestionsOf } from '../../ledger/notifications/open-questions.ts';
import type { Dropped } from '../../ledger/notifications/questions.ts';
import type { Question } from '../../schema/question.ts';
import { findObject, findQuotedObject } from './find-json.ts';

export interface OpenQuestions {
  /** In lower case; null if the answer has none. */
  status: string | null;
  summary?: string;
  questions: Question[];
  dropped: Dropped[];
}

/**
 * The open questions in an agent's answer: the first JSON object with a non-empty `open_questions` or `openQuestions`,
 * anywhere in the text. If there is none, the first object that has one of these keys, or a `status`.
 *
 * @example extractOpenQuestions('Sure! {"status":"failed","open_questions":["Which database?"]}')
 */
export function extractOpenQuestions(text: string, at = new Date().toISOString()): OpenQuestions {
  const found =
    findObject(text, asksSomething) ??
    findObject(text, hasQuestions) ??
    findObject(text, hasStatus) ??
    findQuotedObject(text, asksSomething) ??
    findQuotedObject(text, hasQuestions);
  const { object = {}, root = {} } = found ?? {};
  const status = textOf(object.status) ?? textOf(root.status);
  const summary = textOf(object.summary) ?? textOf(root.summary);
  return {
    status: status?.toLowerCase() ?? null,
    ...(summary === undefined ? {} : { summary }),
    ...openQuestionsOf(object, at),
  };
}

const hasQuestions = (object: JsonRecord) => isList(object.open_questions) || isList(object.openQuestions);
const isList = (value: unknown) => Array.isArray(value) || typeof value === 'string' || isRecord(value);
const hasStatus = (object: JsonRecord) => textOf(object.status) !== undefined;

function textOf(value: unknown): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim() : '';
  return trimmed === '' ? undefined : trimmed;
}
