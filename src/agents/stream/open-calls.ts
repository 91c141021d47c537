const MAX = 1000;

/** Calls that ask a question and have no outcome yet. */
export class OpenCalls {
  readonly #ids = new Set<string>();

  get none(): boolean {
    return this.#ids.size === 0;
  }

  add(id: string | undefined): void {
    if (id !== undefined && this.#ids.size < MAX) this.#ids.add(id);
  }

  /** The turn is over, so no outcome will come. */
  clear(): void {
    this.#ids.clear();
  }

  /** True the first time the outcome of this call is reported. */
  settle(id: string): boolean {
    return this.#ids.delete(id);
  }
}
