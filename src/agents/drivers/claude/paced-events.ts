import { EventQueue } from '../../event-queue.ts';

/** So many events may wait for their reader before the agent is held up. */
const MOST_WAITING = 1000;

/** A queue that tells when its reader does not keep up, and when it does again. */
export class PacedEvents<T> implements AsyncIterable<T> {
  readonly #queue = new EventQueue<T>();
  readonly #onRoom: () => void;
  #waiting = 0;

  constructor(onRoom: () => void) {
    this.#onRoom = onRoom;
  }

  get isFull(): boolean {
    return this.#waiting >= MOST_WAITING;
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
      if (this.#waiting < MOST_WAITING / 2) this.#onRoom();
      yield value;
    }
  }
}
