/** One line without its newline; the bytes are valid only during the call. */
export type OnLine = (bytes: Buffer, start: number, end: number) => void;
/** A line that was too long: its size and its beginning. */
export type OnOversize = (size: number, head: string) => void;

export const MAX_LINE_LENGTH = 16 * 1024 * 1024;

const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);
const HEAD = 500;
const KEEP = 1024 * 1024;

/**
 * Splits bytes into lines, whatever the chunks are. Newlines are found in the bytes, so a character that was cut in two
 * is whole again before anything is decoded. A line over the limit is dropped while it is read, and reported.
 */
export class LineSplitter {
  readonly #onLine: OnLine;
  readonly #onOversize: OnOversize;
  readonly #limit: number;
  /** The beginning of an incomplete line. */
  #held = NOTHING;
  #heldSize = 0;
  /** Positive while a line is dropped: its size so far. */
  #dropped = 0;
  #droppedHead = '';

  constructor(onLine: OnLine, onOversize: OnOversize, limit = MAX_LINE_LENGTH) {
    this.#onLine = onLine;
    this.#onOversize = onOversize;
    this.#limit = limit;
  }

  push(chunk: Uint8Array): void {
    const bytes = toBuffer(chunk);
    let start = 0;
    let newline = bytes.indexOf(NEWLINE);
    if (newline !== -1 && (this.#heldSize > 0 || this.#dropped > 0)) {
      this.#append(bytes, 0, newline);
      this.#closeHeld();
      start = newline + 1;
      newline = bytes.indexOf(NEWLINE, start);
    }
    while (newline !== -1) {
      if (newline - start > this.#limit) this.#onOversize(newline - start, headOf(bytes, start));
      else this.#onLine(bytes, start, newline);
      start = newline + 1;
      newline = bytes.indexOf(NEWLINE, start);
    }
    if (start < bytes.length) this.#append(bytes, start, bytes.length);
  }

  /** The last line may lack its newline. */
  end(): void {
    if (this.#heldSize > 0 || this.#dropped > 0) this.#closeHeld();
  }

  #append(bytes: Buffer, start: number, end: number): void {
    const size = end - start;
    if (this.#dropped > 0) {
      this.#dropped += size;
      return;
    }
    const total = this.#heldSize + size;
    if (total > this.#limit) {
      this.#droppedHead = this.#heldSize > 0 ? headOf(this.#held, 0, this.#heldSize) : headOf(bytes, start);
      this.#dropped = total;
      this.#held = NOTHING;
      this.#heldSize = 0;
      return;
    }
    if (total > this.#held.length) {
      const grown = Buffer.allocUnsafe(Math.min(Math.max(total, this.#held.length * 2, 4096), this.#limit));
      this.#held.copy(grown, 0, 0, this.#heldSize);
      this.#held = grown;
    }
    bytes.copy(this.#held, this.#heldSize, start, end);
    this.#heldSize = total;
  }

  #closeHeld(): void {
    const size = this.#heldSize;
    const dropped = this.#dropped;
    this.#heldSize = 0;
    this.#dropped = 0;
    if (dropped > 0) this.#onOversize(dropped, this.#droppedHead);
    else this.#onLine(this.#held, 0, size);
    if (this.#held.length > KEEP) this.#held = NOTHING;
  }
}

function toBuffer(chunk: Uint8Array): Buffer {
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function headOf(bytes: Buffer, start: number, end = bytes.length): string {
  return bytes.toString('utf8', start, Math.min(start + HEAD, end));
}
