/** Pauses that grow up to the last of these lengths, in milliseconds, until something goes well in between. */
export class Pauses {
  readonly #lengths: readonly number[];
  #count = 0;
  #until = 0;

  constructor(lengths: readonly number[]) {
    this.#lengths = lengths;
  }

  /** How long the one that is on still lasts; 0 if none is. */
  get left(): number {
    return Math.max(this.#until - Date.now(), 0);
  }

  /** Begins the next one unless one is on. True if it is the first of its row. */
  begin(): boolean {
    if (this.left > 0) return false;
    this.#until = Date.now() + (this.#lengths[this.#count] ?? this.#lengths.at(-1) ?? 0);
    this.#count += 1;
    return this.#count === 1;
  }

  /** The next one is the first of a new row. What ends well during a pause may have been done before it. */
  wentWell(): void {
    if (this.left === 0) this.#count = 0;
  }
}
