import { EventQueue } from './event-queue.ts';

/** So many events, and so much output, may wait for their reader before the agent is held up. */
const MOST_WAITING = 1000;
const MOST_BYTES = 32 * 1024 * 1024;

/** A queue that tells when its reader does not keep up, and when it does again. */
export class PacedEvents<T> implements AsyncIterable<T> {
  readonly #queue = new EventQueue<T>();
  readonly #onRoom: () => void;
  #waiting = 0;
  #bytes = 0;

  constructor(onRoom: () => void) {
    this.#onRoom = onRoom;
  }

  get isFull(): boolean {
    return this.#waiting >= MOST_WAITING || this.#bytes >= MOST_BYTES;
  }

  /** So much was read; the reader has seen all of it once nothing waits any more. */
  read(bytes: number): void {
    this.#bytes = this.#waiting === 0 ? 0 : this.#bytes + bytes;
  }

  push(value: T): void {
    this.#waiting += 1;
    this.#queue.push(value);
  }

  close(): void {
    this.#queue.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const value of this.#queue) {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#bytes = 0;
      if (this.#waiting < MOST_WAITING / 2 && this.#bytes < MOST_BYTES) this.#onRoom();
      yield value;
    }
  }
}
