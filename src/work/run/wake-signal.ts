import type { Ledger } from '../../ledger/ledger.ts';

/** Fires when something changed: here (`ring`), or in any process (`changes` yields). */
export class WakeSignal {
  readonly #over = new AbortController();
  readonly #listening: Promise<void>;
  #wake: () => void = () => undefined;

  constructor(changes: (signal: AbortSignal) => AsyncIterable<unknown>, signal: AbortSignal) {
    this.#listening = this.#listen(changes(AbortSignal.any([signal, this.#over.signal])));
  }

  /** Resolves at the next signal, or after `ms`. Call it before checking, so that nothing in between is missed. */
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

  async #listen(changes: AsyncIterable<unknown>): Promise<void> {
    try {
      for await (const _ of changes) this.ring();
    } catch {
      // The ledger cannot be read; a waiting caller checks again after its time and gets the error itself.
    }
    this.ring();
  }
}

/** Changes that may make a task of a project ready. */
export async function* projectChanges(
  ledger: Ledger,
  projectId: string,
  signal: AbortSignal,
): AsyncGenerator<void, void> {
  const { lastEvent } = await ledger.projects.get(projectId);
  for await (const { type } of ledger.events.watch(projectId, lastEvent, signal)) {
    if (type === 'task.updated' || type.startsWith('notification.')) yield;
  }
}
