/** Runs out when nothing has been heard for so long. */
export class SilenceLimit {
  readonly #ms: number;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, onEnd: () => void) {
    this.#ms = ms;
    this.#onEnd = onEnd;
  }

  /** Something was heard: the time starts again, if it is counted at all. */
  restart(counts: boolean): void {
    this.stop();
    if (counts) this.#timer = setTimeout(this.#onEnd, this.#ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
