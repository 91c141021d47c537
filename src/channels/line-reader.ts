import { createInterface, type Key } from 'node:readline';

/** Why there is no line. */
export type NoLine = 'interrupted' | 'aborted';

/** Asks a terminal to mark pasted text, and to stop that. */
const MARK_PASTES = '\u001b[?2004h';
const NO_MARKS = '\u001b[?2004l';

/**
 * Reads lines from a terminal with the usual editing keys. Lines typed ahead are kept for the next prompt; a paste is one
 * text, however many lines it has; input typed for a question that is gone is discarded. Ctrl-C and the end of input give
 * `interrupted`, never an empty line.
 */
export class LineReader {
  readonly #lines: string[] = [];
  readonly #output: NodeJS.WritableStream;
  readonly #readline;
  #interrupted = false;
  #wake: () => void = () => undefined;
  #isMarking = false;
  #isPasting = false;
  /** The lines of a paste that was not sent yet. */
  #pasted: string[] = [];
  #isStale = false;
  readonly #stopMarks = () => void this.#output.write(NO_MARKS);

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
    this.#output = output;
    this.#readline = createInterface({ input, output, terminal: true });
    input.on('keypress', this.#detectPaste);
    if (process.env.TERM !== 'dumb') this.#markPastes();
    this.#readline.on('line', (line) => {
      if (this.#isPasting) this.#pasted.push(line);
      else {
        this.#lines.push([...this.#pasted.splice(0), line].join('\n'));
        this.#wake();
      }
    });
    this.#readline.on('SIGINT', () => this.interrupt());
    // The terminal is gone, but its answers must still be stored.
    this.#readline.on('error', () => this.interrupt());
    this.#readline.on('close', () => {
      input.off('keypress', this.#detectPaste);
      this.interrupt();
    });
  }

  /** Interrupts the wait from outside, like Ctrl-C. */
  interrupt(): void {
    this.#interrupted = true;
    this.#wake();
  }

  async read(prompt: string, signal?: AbortSignal): Promise<string | { none: NoLine }> {
    this.#readline.setPrompt(prompt);
    if (this.#isStale) this.#forgetTyped();
    this.#readline.prompt();
    const aborted = () => this.#wake();
    signal?.addEventListener('abort', aborted);
    try {
      for (;;) {
        const line = this.#lines.shift();
        if (line !== undefined) return line;
        if (this.#interrupted) return this.#none('interrupted');
        if (signal?.aborted) return this.#none('aborted');
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal?.removeEventListener('abort', aborted);
    }
  }

  close(): void {
    this.#readline.close();
    process.off('exit', this.#stopMarks);
    if (this.#isMarking) this.#stopMarks();
  }

  #markPastes(): void {
    this.#isMarking = true;
    this.#output.write(MARK_PASTES);
    process.once('exit', this.#stopMarks);
  }

  readonly #detectPaste = (_: string | undefined, key: Key | undefined): void => {
    if (key?.name === 'paste-start') this.#isPasting = true;
    if (key?.name === 'paste-end') this.#isPasting = false;
  };

  #forgetTyped(): void {
    this.#pasted = [];
    this.#readline.write(null, { ctrl: true, name: 'e' });
    this.#readline.write(null, { ctrl: true, name: 'u' });
    this.#isStale = false;
  }

  #none(why: NoLine): { none: NoLine } {
    this.#isStale = true;
    this.#output.write('\n');
    return { none: why };
  }
}
