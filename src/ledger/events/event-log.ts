import { FermataError } from '../../schema/error.ts';
import { Event } from '../../schema/event.ts';
import { insert } from '../engine/statements.ts';
import type { NewEvent, SqlRunner, Store } from '../engine/store.ts';
import { iso, stored } from '../engine/stored.ts';
import type { EventRow } from '../engine/tables.ts';
import { type LockedProject, selectLastEvents, selectLastTimes } from '../projects/project-sql.ts';

const PAGE = 500;

/** A project's history, in order and without gaps. */
export class EventLog {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  /** What came after an event; 0 is the beginning. Throws `gone` if the reader would miss something. */
  async list(projectId: string, after = 0, limit = PAGE): Promise<Event[]> {
    const rows = await selectEvents(this.#store.reader, projectId, after, limit);
    // Numbers have no gaps, so only a page that does not continue there can hide something.
    if (after > 0 && rows[0]?.number !== after + 1) await this.requireCursor(projectId, after);
    return rows.map(toEvent);
  }

  /** The cursor after which `count` events lead to the newest one, or to the one before `before`. */
  async cursorFor(projectId: string, count: number, before = Number.POSITIVE_INFINITY): Promise<number> {
    const { first, last } = await this.#bounds(projectId);
    return Math.max(Math.min(before - 1, last) - count, first - 1);
  }

  /** Throws if a reader with this cursor would miss events: they were removed, or the ledger is an earlier one. */
  async requireCursor(projectId: string, after: number): Promise<void> {
    if (after === 0) return;
    const { first, last } = await this.#bounds(projectId);
    if (after >= first - 1 && after <= last) return;
    const why =
      after > last
        ? `Event ${after} is not in this ledger; its last one is ${last}. An earlier ledger was restored, or the number is wrong`
        : `The events from ${after + 1} to ${first - 1} were removed`;
    throw new FermataError('gone', `${why}. Read the current state, then the events after ${last}.`, {
      details: { firstEvent: first, lastEvent: last },
    });
  }

  async #bounds(projectId: string): Promise<{ first: number; last: number }> {
    const [row] = await selectEventBounds(this.#store.reader, projectId);
    return { first: row?.first ?? 1, last: row?.last_event ?? 0 };
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

  /** When something happened last in each project. */
  async lastTimes(): Promise<Map<string, string>> {
    const rows = await selectLastTimes(this.#store.reader);
    return new Map(rows.map(({ id, at }) => [id, iso(at)]));
  }

  /** Yields at once, then after each change, until the signal; for a caller that reads several projects. */
  async *changes(signal: AbortSignal): AsyncGenerator<void, void> {
    const changes = changed(this.#store, signal);
    try {
      while (!signal.aborted) {
        yield;
        await changes.next();
      }
    } finally {
      changes.stop();
    }
  }

  /** Everything after `after`, then each new event as it arrives, until the signal. Misses none. */
  async *watch(projectId: string, after = 0, signal?: AbortSignal): AsyncGenerator<Event, void> {
    const changes = changed(this.#store, signal);
    let cursor = after;
    try {
      while (!signal?.aborted) {
        const events = await this.list(projectId, cursor);
        for (const event of events) {
          yield event;
          cursor = event.number;
        }
        if (events.length < PAGE) await changes.next();
      }
    } finally {
      changes.stop();
    }
  }
}

/** Waits for changes, here and in other processes. */
export interface Changes {
  /**
   * Resolves at the first change since the last call (the first time: since the beginning), so a change during a read is not
   * lost; also at `due`, in milliseconds since 1970.
   */
  next(due?: number | null): Promise<void>;
  stop(): void;
}

/** The one way to wait for the store. The signal ends the waiting. */
export function changed(store: Store, signal?: AbortSignal): Changes {
  let isChanged = false;
  let wake: () => void = () => undefined;
  const tell = () => {
    isChanged = true;
    wake();
  };
  const stopListening = store.onChange(tell);
  signal?.addEventListener('abort', tell);
  const change = (due: number | null) =>
    new Promise<void>((resolve) => {
      const alarm = due === null ? undefined : setTimeout(tell, pauseUntil(due));
      wake = () => {
        clearTimeout(alarm);
        resolve();
      };
    });
  return {
    async next(due = null) {
      if (!isChanged && !signal?.aborted) await change(due);
      isChanged = false;
    },
    stop() {
      stopListening();
      signal?.removeEventListener('abort', tell);
      tell();
    },
  };
}

/**
 * The store's clock decides, and it may be behind ours, so whoever woke too early waits a little before it checks again. A
 * timer takes at most 2^31 - 1 ms; a later time is checked again then.
 */
const pauseUntil = (due: number) => Math.min(Math.max(due - Date.now(), 10), 2 ** 31 - 1);

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

/** Numbers and stores the events of a transaction. The counter is on the locked project row, so there are no gaps. */
export async function appendEvents(
  runner: SqlRunner,
  project: LockedProject,
  events: NewEvent[],
): Promise<void> {
  const inserts = events.map((event, index) =>
    insert(runner, 'events', {
      project_id: project.id,
      number: project.lastEvent + index + 1,
      at: project.now,
      type: event.type,
      by: JSON.stringify(event.by),
      data: JSON.stringify(event.data),
      run_id: event.type === 'run.event' ? event.data.id : null,
    }),
  );
  await Promise.all([...inserts, updateLastEvent(runner, project, project.lastEvent + events.length)]);
}

async function updateLastEvent(runner: SqlRunner, project: LockedProject, number: number) {
  await runner.sql('update projects set last_event = ? where id = ?', number, project.id);
}

export function selectEvents(
  runner: SqlRunner,
  projectId: string,
  after: number,
  limit: number,
): Promise<EventRow[]> {
  return runner.sql<EventRow>(
    'select * from events where project_id = ? and number > ? order by number limit ?',
    projectId,
    after,
    limit,
  );
}

/** The last number, and that of the first event that was not removed. */
function selectEventBounds(
  runner: SqlRunner,
  projectId: string,
): Promise<{ last_event: number; first: number | null }[]> {
  return runner.sql(
    'select last_event, (select min(number) from events where project_id = projects.id) as first from projects where id = ?',
    projectId,
  );
}

export function selectRunEvents(
  runner: SqlRunner,
  projectId: string,
  runId: string,
  page: { after: number; limit: number },
): Promise<EventRow[]> {
  return runner.sql<EventRow>(
    'select * from events where project_id = ? and run_id = ? and number > ? order by number limit ?',
    projectId,
    runId,
    page.after,
    page.limit,
  );
}
