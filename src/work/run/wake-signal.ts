import type { Ledger } from '../../ledger/ledger.ts';

/** Rings when something changed in a project: here (`ring`), or in any process (an event in the ledger). */
export class WakeSignal {
  readonly #over = new AbortController();
  readonly #listening: Promise<void>;
  #wake: () => void = () => undefined;

  constructor(ledger: Ledger, projectId: string, signal: AbortSignal) {
    this.#listening = this.#listen(ledger, projectId, AbortSignal.any([signal, this.#over.signal]));
  }

  /** Resolves at the next ring, or after `ms`. Call it before looking, so that nothing between is missed. */
  next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  ring(): void {
    this.#wake();
  }

  async stop(): Promise<void> {
    this.#over.abort();
    this.ring();
    await this.#listening;
  }

  async #listen(ledger: Ledger, projectId: string, signal: AbortSignal): Promise<void> {
    try {
      const { lastEvent } = await ledger.projects.get(projectId);
      for await (const { type } of ledger.events.watch(projectId, lastEvent, signal)) {
        if (type === 'task.updated' || type.startsWith('notification.')) this.ring();
      }
    } catch {
      // The ledger cannot be read: whoever waits looks again after its time, and meets the error itself.
    }
    this.ring();
  }
}
