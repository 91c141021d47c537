const MAX_CHARACTERS = 8 * 1024 * 1024;
const PIECES = 1000;

/** Text that grows in pieces up to a limit. Further text is dropped, and `cut` is set. */
export class BoundedText {
  cut = false;
  readonly #limit: number;
  /** Pieces are joined into blocks, because many small strings need several times the memory of their characters. */
  #blocks: string[] = [];
  #pieces: string[] = [];
  #size = 0;

  constructor(limit = MAX_CHARACTERS) {
    this.#limit = limit;
  }

  add(piece: string): void {
    const room = this.#limit - this.#size;
    if (piece.length > room) this.cut = true;
    if (room <= 0 || piece === '') return;
    this.#pieces.push(piece.length > room ? piece.slice(0, room) : piece);
    this.#size += Math.min(piece.length, room);
    if (this.#pieces.length < PIECES) return;
    this.#blocks.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  /** The code of its last character; NaN if it is empty. */
  get lastCode(): number {
    const last = this.#pieces.at(-1) ?? this.#blocks.at(-1) ?? '';
    return last.charCodeAt(last.length - 1);
  }

  get empty(): boolean {
    return this.#size === 0;
  }

  get text(): string {
    return [...this.#blocks, ...this.#pieces].join('');
  }

  clear(): void {
    this.#blocks = [];
    this.#pieces = [];
    this.#size = 0;
    this.cut = false;
  }
}
