import { closeSync } from 'node:fs';
import type { Arguments } from './arguments.ts';

const CHUNK = 1024 * 1024;

/** What the program writes. */
export class Output {
  /** Dies of SIGKILL after this many more lines. */
  crashAfter: number | undefined;
  readonly #format: Arguments['output'];
  #closed = false;

  constructor(format: Arguments['output']) {
    this.#format = format;
    // Nobody reads the output any more, so there is nothing left to do.
    process.stdout.on('error', () => process.exit(1));
  }

  /** Prints an event, if the caller wants events. */
  event(event: object): void {
    if (this.#format === 'stream-json') this.line(JSON.stringify(event));
  }

  /** Prints the end of a turn, which is the whole output in the other formats. */
  result(event: object, text: string): void {
    this.line(this.#format === 'text' ? text : JSON.stringify(event));
  }

  line(text: string): void {
    if (this.#closed) return;
    process.stdout.write(`${text}\n`);
    if (this.crashAfter === undefined) return;
    this.crashAfter -= 1;
    if (this.crashAfter <= 0) process.kill(process.pid, 'SIGKILL');
  }

  async bytes(bytes: Uint8Array): Promise<void> {
    if (!this.#closed) await written(process.stdout, bytes);
  }

  /** Repeats a text with only one chunk of it in memory. */
  async flood(to: 'stdout' | 'stderr', text: string, bytes: number): Promise<void> {
    const piece = Buffer.alloc(Math.min(bytes, CHUNK), text);
    for (let left = bytes; left > 0; left -= piece.length) {
      await written(process[to], left < piece.length ? piece.subarray(0, left) : piece);
    }
  }

  async close(): Promise<void> {
    await this.flushed();
    this.#closed = true;
    closeSync(1);
  }

  /** Resolves when everything has left this process. */
  async flushed(): Promise<void> {
    if (!this.#closed) await written(process.stdout, new Uint8Array());
  }
}

function written(stream: NodeJS.WriteStream, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => stream.write(bytes, () => resolve()));
}
