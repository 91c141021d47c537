import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';

/** What a scan for one object found. */
export interface ScannedObject {
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
