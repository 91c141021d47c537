import type { JsonRecord } from '../../ledger/forms/record.ts';
import { findObject, findQuotedObject } from '../find-json.ts';

/** What the one parser of all roles makes of an answer. */
export type RoleAnswer<T> = { kind: 'answer'; value: T } | { kind: 'unreadable'; reason: string };

/** The first JSON object that has one of the keys, wherever it stands in the text: in prose, in a fence, in other JSON. */
export function findAnswer(text: string, keys: string[]): JsonRecord | undefined {
  const accepts = (object: JsonRecord) => keys.some((key) => Object.hasOwn(object, key));
  return (findObject(text, accepts) ?? findQuotedObject(text, accepts))?.object;
}
