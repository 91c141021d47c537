import type { StreamEvent } from './events.ts';
import type { JsonRecord } from './fields.ts';

export type Emit = (event: StreamEvent) => void;

/** How one agent speaks: what its objects mean, and which of its lines cannot matter. */
export interface Dialect {
  /** False where it is no object of this agent. */
  read(object: JsonRecord): boolean;
  /**
   * True where the line needs no reading; decided by its bytes. Must only be said of a line that is one object, see
   * `isOneObject`, and whose events nobody needs.
   */
  skips(bytes: Buffer, start: number, end: number): boolean;
  /** The stream has ended. */
  finish?(): void;
}

const CLOSE = 0x7d;
const OPEN = 0x7b;
/** A line with more braces than this is read like any other: the look at it would cost more than it saves. */
const MOST_BRACES = 200;

/** True where nothing follows the object that the line begins with. Says no when in doubt. */
export function isOneObject(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[end - 1] !== CLOSE) return false;
  let at = bytes.indexOf(CLOSE, start);
  for (let braces = 0; braces < MOST_BRACES; braces++) {
    if (at >= end - 1) return true;
    do at += 1;
    while (at < end && isSpace(bytes[at]));
    if (bytes[at] === OPEN) return false;
    at = bytes.indexOf(CLOSE, at);
  }
  return false;
}

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09;
}

/** Beginnings of lines, as compact JSON and with a space behind each colon and comma. */
export class Beginnings {
  readonly #all: Buffer[];

  constructor(compact: readonly string[]) {
    const spaced = compact.map((text) => text.replace(/([:,])/g, '$1 '));
    this.#all = [...compact, ...spaced].map((text) => Buffer.from(text));
  }

  match(bytes: Buffer, start: number, end: number): boolean {
    for (const beginning of this.#all) {
      if (beginsWith(bytes, start, end, beginning)) return true;
    }
    return false;
  }
}

/** From the back: that is where beginnings differ. */
function beginsWith(bytes: Buffer, start: number, end: number, beginning: Buffer): boolean {
  let i = beginning.length;
  if (end - start < i) return false;
  while (i > 0 && bytes[start + i - 1] === beginning[i - 1]) i -= 1;
  return i === 0;
}
