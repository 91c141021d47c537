import { Event } from '../../schema/event.ts';
import { iso } from '../engine/iso.ts';
import type { Store } from '../engine/store.ts';
import { stored } from '../engine/stored.ts';
import type { EventRow } from '../engine/tables.ts';
import { selectLastEvents } from '../projects/project-sql.ts';
import { selectEvents, selectRunEvents } from './event-sql.ts';

const PAGE = 500;

/** A project's history, in order and without gaps. */
export class EventLog {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  async list(projectId: string, after = 0, limit = PAGE): Promise<Event[]> {
    return (await selectEvents(this.#store.reader, projectId, after, limit)).map(toEvent);
  }

  /** Like `list`, for one run. */
  async ofRun(projectId: string, runId: string, after = 0, limit = PAGE): Promise<Event[]> {
    return (await selectRunEvents(this.#store.reader, projectId, runId, { after, limit })).map(toEvent);
  }

  /** The number of each project's last event, to see which projects have something new. */
  async heads(): Promise<Map<string, number>> {
    const rows = await selectLastEvents(this.#store.reader);
    return new Map(rows.map(({ id, last_event }) => [id, last_event]));
  }

  /** Yields at once, then after each change, until the signal; for a caller that reads several projects. */
  async *changes(signal: AbortSignal): AsyncGenerator<void, void> {
    const changes = changeSignal(this.#store, signal);
    try {
      while (!signal.aborted) {
        const changed = changes.next();
        yield;
        await changed;
      }
    } finally {
      changes.stop();
    }
  }

  /** Everything after `after`, then each new event as it arrives, until the signal. Misses none. */
  async *watch(projectId: string, after = 0, signal?: AbortSignal): AsyncGenerator<Event, void> {
    const changes = changeSignal(this.#store, signal);
    let cursor = after;
    try {
      while (!signal?.aborted) {
        const changed = changes.next();
        const events = await this.list(projectId, cursor);
        for (const event of events) {
          yield event;
          cursor = event.number;
        }
        if (events.length < PAGE) await changed;
      }
    } finally {
      changes.stop();
    }
  }
}

/**
 * Turns the store's hints into promises: `next()` resolves at the first change after its call. Call it before reading, so
 * that a change during the read is not lost.
 */
export function changeSignal(store: Store, signal?: AbortSignal): { next(): Promise<void>; stop(): void } {
  let wake: (() => void) | undefined;
  const tell = () => wake?.();
  const stopListening = store.onChange(tell);
  signal?.addEventListener('abort', tell);
  return {
    next: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
        if (signal?.aborted) resolve();
      }),
    stop() {
      stopListening();
      signal?.removeEventListener('abort', tell);
      tell();
    },
  };
}

function toEvent(row: EventRow): Event {
  const event = {
    number: row.number,
    projectId: row.project_id,
    at: iso(row.at),
    type: row.type,
    by: JSON.parse(row.by),
    data: JSON.parse(row.data),
  };
  return stored(Event, event, `event ${row.number} of project ${row.project_id}`);
}
