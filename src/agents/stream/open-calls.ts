const MOST = 1000;

/** The calls of questions whose outcome has not come yet. */
export class OpenCalls {
  readonly #ids = new Set<string>();

  get none(): boolean {
    return this.#ids.size === 0;
  }

  add(id: string | undefined): void {
    if (id !== undefined && this.#ids.size < MOST) this.#ids.add(id);
  }

  /** The turn is over: nothing comes any more. */
  clear(): void {
    this.#ids.clear();
  }

  /** True once: when the outcome of this call is new. */
  settle(id: string): boolean {
    return this.#ids.delete(id);
  }
}
