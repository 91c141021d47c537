/** Wakes one who sleeps. A ring that comes while nobody sleeps ends the next sleep at once. */
export class WakeSignal {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Forgets what rang so far. */
  reset(): void {
    this.#rung = false;
  }

  /** Until the next ring, at most so long. */
  async sleep(ms: number): Promise<void> {
    if (this.#rung) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
