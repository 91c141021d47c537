import { LONGEST_TIMER } from '../../config/duration.ts';

/** Counts down only while the agent works: a person may take as long as they like. */
export class WorkingClock {
  readonly #onEnd: () => void;
  #leftMs: number;
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number | undefined, onEnd: () => void) {
    this.#leftMs = limitMs ?? Number.POSITIVE_INFINITY;
    this.#onEnd = onEnd;
  }

  /** `working` is false while a person is waited for. */
  set(working: boolean): void {
    if (working === (this.#since !== undefined) || this.#leftMs === Number.POSITIVE_INFINITY) return;
    if (!working) {
      this.#pause();
      return;
    }
    this.#since = Date.now();
    this.#timer = setTimeout(this.#onEnd, Math.min(this.#leftMs, LONGEST_TIMER));
  }

  stop(): void {
    this.#pause();
    this.#leftMs = Number.POSITIVE_INFINITY;
  }

  #pause(): void {
    clearTimeout(this.#timer);
    if (this.#since !== undefined) this.#leftMs = Math.max(0, this.#leftMs - (Date.now() - this.#since));
    this.#since = undefined;
  }
}
