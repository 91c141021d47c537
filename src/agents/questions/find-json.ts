import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';

interface FoundObject {
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

/** What a scan for one object found. */
interface ScannedObject {
  /** Undefined if there is no complete object. */
  object: JsonRecord | undefined;
  /** The position after the object, or where it stopped being JSON. */
  end: number;
  /** The first brace inside one of its strings, or -1. If these were not really strings, an object may begin there. */
  braceInText: number;
  /** Objects inside that were complete before it broke, in order, outer ones only. */
  wholeParts: JsonRecord[];
}

/**
 * Reads the JSON object that begins at `start`, in one pass and without a depth limit. Repairs three mistakes of models:
 * raw control characters in strings, a backslash that escapes nothing, and a trailing comma.
 */
export function scanObject(text: string, start: number): ScannedObject {
  const scanner = new Scanner(text, start);
  const whole = scanner.run();
  const { at: end, braceInText } = scanner;
  if (whole) return { object: scanner.parse(start, end), end, braceInText, wholeParts: [] };
  const wholeParts = scanner.whole.flatMap<JsonRecord>(([from, to]) => scanner.parse(from, to) ?? []);
  return { object: undefined, end, braceInText, wholeParts };
}

/** What may come next. */
const KEY_OR_CLOSE = 0;
const COLON = 1;
const VALUE = 2;
const VALUE_OR_CLOSE = 3;
const COMMA_OR_CLOSE = 4;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const notSpace = /[^ \t\n\r]/g;

/** One character to replace. */
interface Fix {
  at: number;
  by: string;
}

class Scanner {
  at: number;
  braceInText = -1;
  /** Start and end of each complete object. */
  readonly whole: [number, number][] = [];
  readonly #text: string;
  /** Where each open object or list begins. */
  readonly #open: number[] = [];
  readonly #fixes: Fix[] = [];
  #applied = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.at = start;
  }

  /** True if the object is complete; `at` is then after it, otherwise at the first wrong character. */
  run(): boolean {
    let next = VALUE;
    for (;;) {
      this.#skipSpace();
      const code = this.#text.charCodeAt(this.at);
      const inList = this.#text.charCodeAt(this.#open.at(-1) ?? -1) === OPEN_LIST;
      if (next === COLON) {
        if (code !== 0x3a) return false;
        this.at += 1;
        next = VALUE;
      } else if (next === COMMA_OR_CLOSE && code === COMMA) {
        if (!this.#trailingComma()) this.at += 1;
        next = inList ? VALUE_OR_CLOSE : KEY_OR_CLOSE;
      } else if (next !== VALUE && code === (inList ? CLOSE_LIST : CLOSE)) {
        this.#close();
        if (this.#open.length === 0) return true;
        next = COMMA_OR_CLOSE;
      } else if (next === COMMA_OR_CLOSE) {
        return false;
      } else if (next === KEY_OR_CLOSE) {
        if (code !== QUOTE || !this.#skipText()) return false;
        next = COLON;
      } else if (code === OPEN || code === OPEN_LIST) {
        this.#open.push(this.at);
        this.at += 1;
        next = code === OPEN ? KEY_OR_CLOSE : VALUE_OR_CLOSE;
      } else {
        if (code === QUOTE ? !this.#skipText() : !this.#skipScalar()) return false;
        next = COMMA_OR_CLOSE;
      }
    }
  }

  /** Must be called for the parts in order. */
  parse(from: number, to: number): JsonRecord | undefined {
    let repaired = '';
    let done = from;
    for (; this.#applied < this.#fixes.length; this.#applied++) {
      const { at, by } = this.#fixes[this.#applied] as Fix;
      if (at >= to) break;
      if (at < from) continue;
      repaired += this.#text.slice(done, at) + by;
      done = at + 1;
    }
    const value: unknown = JSON.parse(repaired + this.#text.slice(done, to));
    return isRecord(value) ? value : undefined;
  }

  #close(): void {
    const began = this.#open.pop() ?? 0;
    this.at += 1;
    if (this.#text.charCodeAt(began) !== OPEN) return;
    while ((this.whole.at(-1)?.[0] ?? -1) > began) this.whole.pop();
    this.whole.push([began, this.at]);
  }

  #skipSpace(): void {
    notSpace.lastIndex = this.at;
    this.at = notSpace.test(this.#text) ? notSpace.lastIndex - 1 : this.#text.length;
  }

  #skipScalar(): boolean {
    const word = ['true', 'false', 'null'].find((each) => this.#text.startsWith(each, this.at));
    number.lastIndex = this.at;
    if (word !== undefined) this.at += word.length;
    else if (number.test(this.#text)) this.at = number.lastIndex;
    else return false;
    return true;
  }

  #skipText(): boolean {
    const text = this.#text;
    for (let at = this.at + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.at = at + 1;
        return true;
      }
      if (code === BACKSLASH) {
        escaped.lastIndex = at;
        if (escaped.test(text)) at = escaped.lastIndex - 1;
        else this.#fixes.push({ at, by: '\\\\' });
      } else if (code < 0x20) {
        this.#fixes.push({ at, by: `\\u${code.toString(16).padStart(4, '0')}` });
      } else if (code === OPEN && this.braceInText === -1) {
        this.braceInText = at;
      }
    }
    this.at = text.length;
    return false;
  }

  /** Skips a comma that is followed by the end of its object or list. */
  #trailingComma(): boolean {
    const comma = this.at;
    this.at += 1;
    this.#skipSpace();
    const code = this.#text.charCodeAt(this.at);
    const last = code === CLOSE || code === CLOSE_LIST;
    if (last) this.#fixes.push({ at: comma, by: '' });
    else this.at = comma;
    return last;
  }
}
