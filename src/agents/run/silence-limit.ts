/** Expires after a period without any event. */
export class SilenceLimit {
  readonly #ms: number;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, onEnd: () => void) {
    this.#ms = ms;
    this.#onEnd = onEnd;
  }

  /** Restarts the timer after an event, or only stops it if `counts` is false. */
  restart(counts: boolean): void {
    this.stop();
    if (counts) this.#timer = setTimeout(this.#onEnd, this.#ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
