/** Work in parallel with the stream of events. The first failure stops the agent and is thrown at the end. */
export class Pending {
  readonly #stop: () => void;
  readonly #open = new Set<Promise<void>>();
  #failure: { error: unknown } | undefined;

  constructor(stop: () => void) {
    this.#stop = stop;
  }

  add(work: Promise<void>): void {
    const watched = work
      .catch((error: unknown) => this.fail(error))
      .finally(() => this.#open.delete(watched));
    this.#open.add(watched);
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#stop();
  }

  async all(): Promise<void> {
    await Promise.all(this.#open);
    if (this.#failure) throw this.#failure.error;
  }
}
