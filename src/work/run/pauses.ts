/** Pauses that grow up to the last of these lengths, in milliseconds, until something succeeds. */
export class Pauses {
  readonly #lengths: readonly number[];
  #count = 0;
  #until = 0;

  constructor(lengths: readonly number[]) {
    this.#lengths = lengths;
  }

  /** How long the current pause still lasts; 0 if there is none. */
  get left(): number {
    return Math.max(this.#until - Date.now(), 0);
  }

  /** Begins the next pause unless one is active. True if it is the first since a success. */
  begin(): boolean {
    if (this.left > 0) return false;
    this.#until = Date.now() + (this.#lengths[this.#count] ?? this.#lengths.at(-1) ?? 0);
    this.#count += 1;
    return this.#count === 1;
  }

  /** Starts over with the shortest pause, except during a pause, because what succeeds then may have been done before it. */
  succeeded(): void {
    if (this.left === 0) this.#count = 0;
  }
}
