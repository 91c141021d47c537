import { createInterface } from 'node:readline';

/** Why a line did not come. */
export type NoLine = 'interrupted' | 'aborted';

/**
 * Reads lines from a terminal with the usual editing keys. Lines typed ahead are kept for the next prompt;
 * Ctrl-C and the end of input are told as `interrupted`, never as an empty line.
 */
export class LineReader {
  readonly #lines: string[] = [];
  readonly #output: NodeJS.WritableStream;
  readonly #readline;
  #interrupted = false;
  #wake: () => void = () => undefined;

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
    this.#output = output;
    this.#readline = createInterface({ input, output, terminal: true });
    this.#readline.on('line', (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    this.#readline.on('SIGINT', () => this.interrupt());
    this.#readline.on('close', () => this.interrupt());
  }

  /** Ends the waiting from outside, as Ctrl-C does from inside. */
  interrupt(): void {
    this.#interrupted = true;
    this.#wake();
  }

  async read(prompt: string, signal?: AbortSignal): Promise<string | { none: NoLine }> {
    this.#readline.setPrompt(prompt);
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
  }

  #none(why: NoLine): { none: NoLine } {
    this.#output.write('\n');
    return { none: why };
  }
}
