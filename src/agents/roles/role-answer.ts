import type * as z from 'zod';
import type { JsonRecord } from '../../ledger/forms/record.ts';
import { openQuestionsOf } from '../../ledger/open-questions.ts';
import type { Question } from '../../schema/question.ts';
import { findObject, findQuotedObject } from '../find-json.ts';

/** What the one parser of all roles makes of an answer. */
export type RoleAnswer<T> =
  | { kind: 'answer'; value: T }
  | { kind: 'questions'; questions: Question[] }
  | { kind: 'unreadable'; reason: string };

const asking = ['open_questions', 'openQuestions'];

/** Reads questions, else what the role was asked for, which is known by the key `expected`. Questions go first. */
export function readAnswer<T>(text: string, expected: string, schema: z.ZodType<T>): RoleAnswer<T> {
  const asked = findAnswer(text, asking);
  const { questions } = openQuestionsOf(asked ?? {});
  if (questions.length > 0) return { kind: 'questions', questions };
  const found = findAnswer(text, [expected]);
  if (found === undefined) {
    return { kind: 'unreadable', reason: `It has no JSON object with "${expected}" or "open_questions".` };
  }
  const { data, error } = schema.safeParse(found);
  if (data !== undefined) return { kind: 'answer', value: data };
  const [issue] = error?.issues ?? [];
  return {
    kind: 'unreadable',
    reason: `Its "${issue?.path.join('.') || expected}" cannot be used: ${issue?.message}.`,
  };
}

/** The first JSON object that has one of the keys, wherever it stands in the text: in prose, in a fence, in other JSON. */
export function findAnswer(text: string, keys: string[]): JsonRecord | undefined {
  const accepts = (object: JsonRecord) => keys.some((key) => Object.hasOwn(object, key));
  return (findObject(text, accepts) ?? findQuotedObject(text, accepts))?.object;
}
