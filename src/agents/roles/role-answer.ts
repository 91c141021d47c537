import type * as z from 'zod';
import type { JsonRecord } from '../../ledger/forms/record.ts';
import { asksSomething, openQuestionsOf } from '../../ledger/notifications/open-questions.ts';
import type { Question } from '../../schema/question.ts';
import { findObject, findQuotedObject } from '../questions/find-json.ts';

/** An answer of any role, after parsing. */
export type RoleAnswer<T> =
  | { kind: 'answer'; value: T }
  | { kind: 'questions'; questions: Question[] }
  | { kind: 'unreadable'; reason: string };

/** Reads questions, or else the role's result, which has the key `expected`. Questions take precedence. */
export function readAnswer<T>(text: string, expected: string, schema: z.ZodType<T>): RoleAnswer<T> {
  const found = findAnswer(text, [expected]);
  if (found === undefined) {
    return { kind: 'unreadable', reason: `It has no JSON object with "${expected}" or "open_questions".` };
  }
  const { questions } = openQuestionsOf(found);
  if (questions.length > 0) return { kind: 'questions', questions };
  const { data, error } = schema.safeParse(found);
  if (data !== undefined) return { kind: 'answer', value: data };
  const [issue] = error?.issues ?? [];
  return {
    kind: 'unreadable',
    reason: `Its "${issue?.path.join('.') || expected}" cannot be used: ${issue?.message}.`,
  };
}

/**
 * The first JSON object that asks something; otherwise the first that has all keys of a `wanted` set, tried in order.
 * It may be anywhere in the text: in prose, in a fence, in other JSON. An example without questions does not hide a
 * later question.
 */
export function findAnswer(text: string, ...wanted: string[][]): JsonRecord | undefined {
  const accepts = [
    asksSomething,
    ...wanted.map((keys) => (object: JsonRecord) => keys.every((key) => Object.hasOwn(object, key))),
  ];
  for (const find of [findObject, findQuotedObject]) {
    for (const accept of accepts) {
      const found = find(text, accept);
      if (found) return found.object;
    }
  }
  return undefined;
}
