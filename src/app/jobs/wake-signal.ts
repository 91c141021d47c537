/** Wakes one sleeper. A ring while nobody sleeps ends the next sleep at once. */
export class WakeSignal {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Forgets earlier rings. */
  reset(): void {
    this.#rung = false;
  }

  /** Sleeps until the next ring, for at most `ms`. */
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
