import { isRecord, type JsonRecord } from '../../ledger/forms/record.ts';
import type { Usage } from '../driver.ts';
import type { StreamEvent } from './events.ts';

export type Emit = (event: StreamEvent) => void;

/** Reads one agent's output: what its objects mean, and which of its lines never matter. */
export interface AgentReader {
  /** False if it is not an object of this agent. */
  read(object: JsonRecord): boolean;
  /**
   * True if the line can be skipped, judged by its bytes: it is one object whose events nobody needs. Does not check
   * whether its strings and numbers are valid JSON.
   */
  skips(bytes: Buffer, start: number, end: number): boolean;
  /** The stream has ended. */
  finish?(): void;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `{` and `[`, `}` and `]`, without the bit in which they differ. */
const OPENS = 0x5b;
const CLOSES = 0x5d;
const BOTH = 0xdf;
/** How many bytes of a string are checked one by one before we search, which costs more to start. */
const NEAR = 128;

/** True if, judged by quotes and brackets, the line is exactly one complete object. */
function isOneObject(bytes: Buffer, start: number, end: number): boolean {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = closingQuote(bytes, at + 1, end);
    } else if ((byte & BOTH) === OPENS) {
      depth += 1;
    } else if ((byte & BOTH) === CLOSES) {
      depth -= 1;
      if (depth === 0) return at === end - 1;
    }
  }
  return false;
}

/** The position of the closing quote, or the end. */
function closingQuote(bytes: Buffer, start: number, end: number): number {
  const near = Math.min(end, start + NEAR);
  let at = start;
  while (at < near) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return at < end ? closingQuoteOfLongText(bytes, at, end) : end;
}

/** Jumps from quote to quote. A quote after an odd number of backslashes does not close the string. */
function closingQuoteOfLongText(bytes: Buffer, start: number, end: number): number {
  for (let quote = bytes.indexOf(QUOTE, start); quote !== -1 && quote < end; ) {
    let first = quote;
    while (first > start && bytes[first - 1] === BACKSLASH) first -= 1;
    if ((quote - first) % 2 === 0) return quote;
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return end;
}

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09;
}

/** Beginnings of lines, as compact JSON and with a space after each colon and comma. */
export class Beginnings {
  readonly #all: Buffer[];

  constructor(compact: readonly string[]) {
    const spaced = compact.map((text) => text.replace(/([:,])/g, '$1 '));
    this.#all = [...compact, ...spaced].map((text) => Buffer.from(text));
  }

  /** True if the line begins like one of them and is one object. */
  match(bytes: Buffer, start: number, end: number): boolean {
    for (const beginning of this.#all) {
      if (beginsWith(bytes, start, end, beginning)) return isOneObject(bytes, start, end);
    }
    return false;
  }
}

/** Compares backwards, because beginnings differ at their end. */
function beginsWith(bytes: Buffer, start: number, end: number, beginning: Buffer): boolean {
  let i = beginning.length;
  if (end - start < i) return false;
  while (i > 0 && bytes[start + i - 1] === beginning[i - 1]) i -= 1;
  return i === 0;
}

const MAX = 1000;

/** Calls that ask a question and have no outcome yet. */
export class OpenCalls {
  readonly #ids = new Set<string>();

  get none(): boolean {
    return this.#ids.size === 0;
  }

  add(id: string | undefined): void {
    if (id !== undefined && this.#ids.size < MAX) this.#ids.add(id);
  }

  /** The turn is over, so no outcome will come. */
  clear(): void {
    this.#ids.clear();
  }

  /** True the first time the outcome of this call is reported. */
  settle(id: string): boolean {
    return this.#ids.delete(id);
  }
}

const MAX_CHARACTERS = 8 * 1024 * 1024;
const PIECES = 1000;

/** Text that grows in pieces up to a limit. Further text is dropped, and `cut` is set. */
export class BoundedText {
  cut = false;
  readonly #limit: number;
  /** Pieces are joined into blocks, because many small strings need several times the memory of their characters. */
  #blocks: string[] = [];
  #pieces: string[] = [];
  #size = 0;

  constructor(limit = MAX_CHARACTERS) {
    this.#limit = limit;
  }

  add(piece: string): void {
    const room = this.#limit - this.#size;
    if (piece.length > room) this.cut = true;
    if (room <= 0 || piece === '') return;
    this.#pieces.push(piece.length > room ? piece.slice(0, room) : piece);
    this.#size += Math.min(piece.length, room);
    if (this.#pieces.length < PIECES) return;
    this.#blocks.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  /** The code of its last character; NaN if it is empty. */
  get lastCode(): number {
    const last = this.#pieces.at(-1) ?? this.#blocks.at(-1) ?? '';
    return last.charCodeAt(last.length - 1);
  }

  get empty(): boolean {
    return this.#size === 0;
  }

  get text(): string {
    return [...this.#blocks, ...this.#pieces].join('');
  }

  clear(): void {
    this.#blocks = [];
    this.#pieces = [];
    this.#size = 0;
    this.cut = false;
  }
}

export { isRecord, type JsonRecord };

const NONE: JsonRecord = {};

/** Readers for single fields: a value with an unexpected shape counts as missing. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function record(value: unknown): JsonRecord {
  return isRecord(value) ? value : NONE;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function texts(value: unknown): string[] {
  return list(value).filter((entry) => typeof entry === 'string');
}

export function requestIdOf(value: unknown): string | number | undefined {
  return typeof value === 'number' ? value : text(value);
}

/** The names of an agent's counts: of the input, the output, and the input that it read from or wrote to a cache. */
export type UsageNames = readonly [input: string, output: string, cacheRead: string, cacheCreation: string];

/** Tokens under an agent's own names. If one of the figures is not a count, none of them is trusted. */
export function usageOf(value: unknown, names: UsageNames): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const counts = names.map((name) => value[name] ?? 0).filter(isCount);
  if (counts.length < names.length) return undefined;
  const [inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheCreationTokens = 0] = counts;
  return { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
