import { createInterface, type Key } from 'node:readline';
import { visible } from '../schema/visible.ts';
import { width } from './wrap.ts';

/** Why there is no line. */
export type NoLine = 'interrupted' | 'aborted';

/** Lines directly above the prompt, which change while a person types. */
export interface Above {
  /** Each fits in one row of the terminal. */
  lines(): readonly string[];
  /** Takes what draws them again; undefined while nobody is asked. */
  onChange(redraw: (() => void) | undefined): void;
}

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
  readonly #output: NodeJS.WritableStream & { columns?: number };
  readonly #above: Above | undefined;
  /** How many lines are drawn above the prompt. */
  #drawn = 0;
  readonly #readline;
  #interrupted = false;
  #wake: () => void = () => undefined;
  #isMarking = false;
  #isPasting = false;
  /** The lines of a paste that was not sent yet. */
  #pasted: string[] = [];
  #isStale = false;
  readonly #stopMarks = () => void this.#output.write(NO_MARKS);

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, above?: Above) {
    this.#output = output;
    this.#above = above;
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
    // Lines typed ahead are on the screen already.
    if (this.#lines.length === 0) this.#drawAbove();
    this.#readline.prompt();
    this.#above?.onChange(() => this.#redraw());
    const aborted = () => this.#wake();
    signal?.addEventListener('abort', aborted);
    try {
      for (;;) {
        const line = this.#lines.shift();
        if (line !== undefined) {
          this.#eraseAbove(prompt, line);
          return line;
        }
        if (this.#interrupted) return this.#none('interrupted');
        if (signal?.aborted) return this.#none('aborted');
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal?.removeEventListener('abort', aborted);
      this.#above?.onChange(undefined);
      this.#drawn = 0;
    }
  }

  #drawAbove(): void {
    const lines = this.#above?.lines() ?? [];
    this.#drawn = lines.length;
    if (lines.length > 0) this.#output.write(lines.map((line) => `${line}\n`).join(''));
  }

  /** What is typed stays; a line that has wrapped is not touched. */
  #redraw(): void {
    if (this.#drawn === 0 || this.#readline.getCursorPos().rows > 0) return;
    this.#output.write(`\r\u001b[${this.#drawn}A\u001b[J`);
    this.#drawAbove();
    this.#readline.prompt(true);
  }

  /** Leaves only the question and the answer on the screen. */
  #eraseAbove(prompt: string, line: string): void {
    if (this.#drawn === 0 || line.includes('\n')) return;
    const rows = Math.floor(width(prompt + line) / (this.#output.columns || 80)) + 1;
    this.#output.write(`\u001b[${this.#drawn + rows}A\u001b[J${prompt}${visible(line)}\n`);
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
