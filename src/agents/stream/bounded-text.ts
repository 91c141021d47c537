const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Text that grows piece by piece, up to a limit; what comes after it is dropped, and told. */
export class BoundedText {
  cut = false;
  readonly #limit: number;
  #pieces: string[] = [];
  #size = 0;

  constructor(limit = MOST_CHARACTERS) {
    this.#limit = limit;
  }

  add(piece: string): void {
    const room = this.#limit - this.#size;
    if (piece.length > room) this.cut = true;
    if (room <= 0 || piece === '') return;
    this.#pieces.push(piece.length > room ? piece.slice(0, room) : piece);
    this.#size += Math.min(piece.length, room);
  }

  /** Of its last character; NaN where there is none. */
  get lastCode(): number {
    const last = this.#pieces.at(-1) ?? '';
    return last.charCodeAt(last.length - 1);
  }

  get empty(): boolean {
    return this.#size === 0;
  }

  get text(): string {
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join('')];
    return this.#pieces[0] ?? '';
  }

  clear(): void {
    this.#pieces = [];
    this.#size = 0;
    this.cut = false;
  }
}
