import { FermataError } from '../../schema/error.ts';

/**
 * The messages through a door, in both directions: a letter for the kind, the length in four bytes, the content.
 * `bin/door.cjs` uses the same format.
 */
export const frameKinds = {
  /** From the agent: the token, the words of its command, and the folder it is in, as JSON. */
  hello: 'h',
  input: 'i',
  inputEnd: 'e',
  signal: 's',
  /** To the agent. */
  stdout: 'o',
  stderr: 'r',
  /** The exit code: the last frame. */
  exit: 'x',
} as const;

export interface Frame {
  kind: string;
  content: Buffer;
}

const HEAD = 5;
/** A command's arguments are the largest thing an agent sends; the system's limit is about the same. */
const MAX_BYTES = 2 * 1024 * 1024;

export function frame(kind: string, content: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(HEAD);
  head.write(kind, 0, 'latin1');
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Reassembles frames from the pieces in which they arrive. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #held = 0;
  #wanted = HEAD;

  /** Yields the frames that this piece completes. Throws as soon as a header announces too much. */
  *push(piece: Buffer): Generator<Frame> {
    this.#pieces.push(piece);
    this.#held += piece.length;
    while (this.#held >= this.#wanted) {
      // Copying the rest for each of many small frames would take quadratic time.
      const [only] = this.#pieces;
      const bytes = only && this.#pieces.length === 1 ? only : Buffer.concat(this.#pieces);
      const length = bytes.readUInt32BE(1);
      if (length > MAX_BYTES) throw new FermataError('too_large', 'This command is too long. Shorten it.');
      this.#wanted = HEAD + length;
      this.#pieces = [bytes];
      if (bytes.length < this.#wanted) return;
      const rest = bytes.subarray(this.#wanted);
      this.#pieces = [rest];
      this.#held = rest.length;
      const end = this.#wanted;
      this.#wanted = HEAD;
      yield { kind: bytes.toString('latin1', 0, 1), content: bytes.subarray(HEAD, end) };
    }
  }
}
