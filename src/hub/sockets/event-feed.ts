import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Event } from '../../schema/event.ts';
import { eventView } from '../event-view.ts';

/** Receives the events of some projects as they come. */
export interface Listener {
  hears(projectId: string): boolean;
  tell(projectId: string, number: number, message: Buffer): void;
}

/** An event may be as large as a notification. */
const PAGE = 50;
/** After this many sends, other work gets its turn. */
const SLICE = 500;

/** Reads each new event once, however many listeners there are, and sends it to all. Reads nothing without listeners. */
export class EventFeed {
  readonly #ledger: Ledger;
  readonly #report: (error: unknown) => void;
  readonly #listeners = new Set<Listener>();
  /** The last event sent for each project. */
  readonly #told = new Map<string, number>();
  #stop: AbortController | undefined;

  constructor(ledger: Ledger, report: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#report = report;
  }

  /** The last event sent to the listeners: anyone who has read that far from the ledger misses nothing by joining now. */
  told(projectId: string): number {
    return this.#told.get(projectId) ?? 0;
  }

  /** Before anybody listens, the feed has to know the last event of each project, from this ledger. */
  async open(ledger: Ledger): Promise<void> {
    if (this.#stop) return;
    const heads = await ledger.events.heads();
    if (this.#stop) return;
    this.#told.clear();
    for (const [projectId, head] of heads) this.#told.set(projectId, head);
    this.#stop = new AbortController();
    void this.#follow(this.#stop.signal);
  }

  join(listener: Listener): void {
    this.#listeners.add(listener);
  }

  leave(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size === 0) this.close();
  }

  close(): void {
    this.#stop?.abort();
    this.#stop = undefined;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    for await (const _ of this.#ledger.events.changes(signal)) {
      try {
        for (const [projectId, head] of await this.#ledger.events.heads())
          if (head > this.told(projectId)) await this.#advance(projectId, head);
      } catch (error) {
        // The store may be unavailable for a while; the next change tries again from the same place.
        this.#report(error);
      }
    }
  }

  async #advance(projectId: string, head: number): Promise<void> {
    const listeners = [...this.#listeners].filter((listener) => listener.hears(projectId));
    if (listeners.length === 0) {
      this.#told.set(projectId, head);
      return;
    }
    while (this.told(projectId) < head) {
      for (const event of await this.#ledger.events.list(projectId, this.told(projectId), PAGE)) {
        await this.#tell(event);
      }
    }
  }

  async #tell(event: Event): Promise<void> {
    const { projectId, number } = event;
    const message = encode(event);
    const listeners = [...this.#listeners].filter((listener) => listener.hears(projectId));
    this.#told.set(projectId, number);
    for (let start = 0; start < listeners.length; start += SLICE) {
      if (start > 0) await nextTurn();
      for (const listener of listeners.slice(start, start + SLICE)) listener.tell(projectId, number, message);
    }
  }
}

export const encode = (event: Event) => Buffer.from(JSON.stringify(eventView(event)));
