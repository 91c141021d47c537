import { EventQueue } from './event-queue.ts';

/** How many events, and how much output, may be unread before the agent is paused. */
const MAX_WAITING = 1000;
const MAX_BYTES = 32 * 1024 * 1024;

/** A queue that reports when its reader falls behind, and when it has caught up. */
export class PacedEvents<T> implements AsyncIterable<T> {
  readonly #queue = new EventQueue<T>();
  readonly #onRoom: () => void;
  #waiting = 0;
  #bytes = 0;

  constructor(onRoom: () => void) {
    this.#onRoom = onRoom;
  }

  get isFull(): boolean {
    return this.#waiting >= MAX_WAITING || this.#bytes >= MAX_BYTES;
  }

  /** Counts the bytes that were read; the reader has seen all of them once the queue is empty. */
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
      if (this.#waiting < MAX_WAITING / 2 && this.#bytes < MAX_BYTES) this.#onRoom();
      yield value;
    }
  }
}
