/** Messages of the person that no turn has taken yet. */
export class Inbox {
  readonly #messages: string[] = [];
  #closed = false;
  #wake: () => void = () => undefined;

  add(message: string): void {
    this.#messages.push(message);
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** The next message, as soon as there is one; undefined when no more will come. */
  async next(): Promise<string | undefined> {
    while (this.#messages.length === 0 && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#messages.shift();
  }

  takeAll(): string[] {
    return this.#messages.splice(0);
  }
}
