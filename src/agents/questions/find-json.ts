import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';
import { scanObject } from './scan-object.ts';

export interface FoundObject {
  object: JsonRecord;
  /** The outermost object that contains it; the object itself if none does. */
  root: JsonRecord;
}

/** How often a character may be read again after a misleading brace. The limit keeps hostile text linear to search. */
const REREADS = 8;
/** The maximum nesting of JSON in strings of JSON. */
const DEEPEST_TEXT = 3;

/**
 * The first JSON object in `text` that `accepts` returns true for: at the top level, nested in another, in prose or in a
 * code fence. Stray braces before or around it do not hide it.
 */
export function findObject(text: string, accepts: (object: JsonRecord) => boolean): FoundObject | undefined {
  for (const root of objectsIn(text)) {
    for (const value of valuesOf(root)) {
      if (isRecord(value) && accepts(value)) return { object: value, root };
    }
  }
  return undefined;
}

/**
 * Like `findObject`, but also looks inside the strings of the objects, because programs wrap a JSON answer into JSON of
 * their own.
 */
export function findQuotedObject(
  text: string,
  accepts: (object: JsonRecord) => boolean,
  depth = 1,
): FoundObject | undefined {
  for (const root of objectsIn(text)) {
    for (const value of valuesOf(root)) {
      if (typeof value !== 'string' || !value.includes('{')) continue;
      const found =
        findObject(value, accepts) ??
        (depth < DEEPEST_TEXT ? findQuotedObject(value, accepts, depth + 1) : undefined);
      if (found) return found;
    }
  }
  return undefined;
}

/** All top-level objects, in order. */
function* objectsIn(text: string): Generator<JsonRecord> {
  let rereads = text.length * REREADS;
  let at = text.indexOf('{');
  while (at !== -1) {
    const { object, end, braceInText, wholeParts } = scanObject(text, at);
    if (object) yield object;
    yield* wholeParts;
    // In a broken object, a string may really be the text between two strings, so an object may begin inside it.
    const again = object === undefined && braceInText !== -1 && rereads > 0;
    if (again) rereads -= end - braceInText;
    at = text.indexOf('{', again ? braceInText : Math.max(end, at + 1));
  }
}

/** The object and everything in it, in text order. */
function* valuesOf(root: JsonRecord): Generator<unknown> {
  const left: unknown[] = [root];
  while (left.length > 0) {
    const value = left.pop();
    yield value;
    if (typeof value !== 'object' || value === null) continue;
    const children = Array.isArray(value) ? value : Object.values(value);
    for (let i = children.length - 1; i >= 0; i--) left.push(children[i]);
  }
}
