import type { Notification } from '../../schema/notification.ts';
import { insert, update } from '../engine/statements.ts';
import type { SqlRunner, Store, Tx } from '../engine/store.ts';
import type { EventRow, NoticeRow } from '../engine/tables.ts';
import { selectEvents } from '../events/event-log.ts';
import { selectNotification, toNotification } from '../notifications/notification-sql.ts';

/** A message to a person outside, for one attempt. */
export interface OutgoingNotice {
  /** The same for every attempt, so that a recipient can recognise a duplicate. */
  key: string;
  sink: string;
  /** True if nobody answered for a while. */
  reminder: boolean;
  attempts: number;
  notification: Notification;
}

export const PAGE = 500;
/** How often and when a notice is tried. */
const retries = {
  most: 14,
  /** How long a sender may take; after that another one tries, because the first may have died. */
  takeMs: 60_000,
  /** Doubled after each failure, up to the longest. */
  firstPauseMs: 1000,
  longestPauseMs: 3_600_000,
} satisfies Record<string, number>;

/**
 * Messages to a person's phone or chat. They come from the event log: an event is stored with its question, so none is
 * lost, and each sink has its own cursor, so sinks do not depend on each other.
 */
export class NoticeOutbox {
  readonly #store: Store;

  /** @internal */
  constructor(store: Store) {
    this.#store = store;
  }

  /** A new sink gets only what happens from now on. */
  async addSink(sink: string): Promise<void> {
    await this.#store.write(null, async (runner) => {
      if (await insertSink(runner, sink)) await insertCursorsAtHead(runner, sink);
    });
  }

  /** Makes a notice of each new question and reminder and moves the sink's cursors, in one transaction per project. */
  async collect(sink: string): Promise<void> {
    for (const { id } of await selectBehind(this.#store.reader, sink)) {
      while ((await this.#store.write(id, (tx) => collectPage(tx, sink))) === PAGE);
    }
  }

  /** Takes up to `limit` due notices of a sink, each for one attempt. Drops those that were settled meanwhile. */
  async takeDue(sink: string, limit: number): Promise<OutgoingNotice[]> {
    const taken: OutgoingNotice[] = [];
    for (const row of await selectDueNotices(this.#store.reader, sink, Date.now(), limit)) {
      const notice = await this.#store.write(row.project_id, (tx) => take(tx, row));
      if (notice) taken.push(notice);
    }
    return taken;
  }

  /** When the sink's next notice is due, in milliseconds since 1970. */
  nextDue(sink: string): Promise<number | undefined> {
    return selectNextNotice(this.#store.reader, sink);
  }

  sent({ key, notification }: OutgoingNotice): Promise<void> {
    return this.#store.write(notification.projectId, (tx) => deleteNotice(tx, key));
  }

  /** Schedules the next attempt, later each time; false once it was given up. */
  async failed({ key, attempts, notification }: OutgoingNotice, error: string): Promise<boolean> {
    const willRetry = attempts < retries.most;
    const pause = Math.min(retries.firstPauseMs * 2 ** (attempts - 1), retries.longestPauseMs);
    await this.#store.write(notification.projectId, (tx) =>
      update(
        tx,
        'notices',
        { due_at: willRetry ? tx.now + pause : null, error: error.slice(0, 500) },
        { key },
      ),
    );
    return willRetry;
  }
}

/** Makes notices of the next events that a sink has not seen; returns the number of these events. */
export async function collectPage(tx: Tx, sink: string): Promise<number> {
  const after = await selectCursor(tx, sink);
  const events = await selectEvents(tx, tx.projectId, after, PAGE);
  for (const event of events) {
    const told = noticeFor(event);
    if (!told) continue;
    await insert(
      tx,
      'notices',
      {
        key: `${tx.projectId}:${event.number}:${sink}`,
        project_id: tx.projectId,
        notification_id: told.id,
        asker: told.reminder ? await askerOf(tx, told.id) : event.by,
        sink,
        reminder: told.reminder ? 1 : 0,
        attempts: 0,
        due_at: tx.now + told.delayMs,
        error: null,
        created_at: tx.now,
      },
      'nothing',
    );
  }
  await updateCursor(tx, sink, events.at(-1)?.number ?? after);
  return events.length;
}

/** The notification of an event that causes a notice. */
function noticeFor({ type, data }: EventRow): { id: string; reminder: boolean; delayMs: number } | undefined {
  if (type === 'notification.added') {
    const { id, resume }: Notification = JSON.parse(data).notification;
    return { id, reminder: false, delayMs: resume?.session?.attended ? AT_THE_DESK_MS : 0 };
  }
  if (type !== 'notification.updated') return undefined;
  const { id, policy } = JSON.parse(data);
  return policy === 'remind' ? { id, reminder: true, delayMs: 0 } : undefined;
}

/** A person who sits in front of the dialog has this long to answer there before other devices hear of it. */
const AT_THE_DESK_MS = 60_000;

/** Looks up the asker, because the event of a reminder names the policy. */
async function askerOf(tx: Tx, notificationId: string): Promise<string> {
  return (await selectNotification(tx, tx.projectId, notificationId))?.created_by ?? '';
}

async function take(tx: Tx, row: NoticeRow): Promise<OutgoingNotice | undefined> {
  if (!(await takeNotice(tx, row, tx.now + retries.takeMs))) return undefined;
  const found = await selectNotification(tx, row.project_id, row.notification_id);
  if (!found || (found.status !== 'open' && found.status !== 'recorded')) {
    await deleteNotice(tx, row.key);
    return undefined;
  }
  const { key, sink, attempts } = row;
  const reminder = row.reminder === 1;
  return { key, sink, reminder, attempts: attempts + 1, notification: toNotification(found) };
}

/** True if the sink was not known; it then starts with the next event. */
async function insertSink(runner: SqlRunner, sink: string): Promise<boolean> {
  const changed = await runner.changes(
    'insert into notice_sinks (sink) values (?) on conflict do nothing',
    sink,
  );
  return changed === 1;
}

/** Marks everything so far as seen by a new sink. */
async function insertCursorsAtHead(runner: SqlRunner, sink: string): Promise<void> {
  await runner.sql(
    'insert into notice_cursors (project_id, sink, number) select id, ?, last_event from projects',
    sink,
  );
}

/** Projects with events that a sink has not seen; a project without a cursor was added later. */
function selectBehind(runner: SqlRunner, sink: string): Promise<{ id: string }[]> {
  return runner.sql<{ id: string }>(
    `select projects.id from projects
     left join notice_cursors on notice_cursors.project_id = projects.id and notice_cursors.sink = ?
     where projects.last_event > coalesce(notice_cursors.number, 0)`,
    sink,
  );
}

async function selectCursor(tx: Tx, sink: string): Promise<number> {
  const [row] = await tx.sql<{ number: number }>(
    'select number from notice_cursors where project_id = ? and sink = ?',
    tx.projectId,
    sink,
  );
  return row?.number ?? 0;
}

async function updateCursor(tx: Tx, sink: string, number: number): Promise<void> {
  await tx.sql(
    `insert into notice_cursors (project_id, sink, number) values (?, ?, ?)
     on conflict (project_id, sink) do update set number = excluded.number`,
    tx.projectId,
    sink,
    number,
  );
}

/** Round-robin by asker, so that an asker with many notices does not delay the others. */
export function selectDueNotices(
  runner: SqlRunner,
  sink: string,
  now: number,
  limit: number,
): Promise<NoticeRow[]> {
  return runner.sql<NoticeRow>(
    `select * from (
       select notices.*, row_number() over (partition by asker order by due_at, key) as turn
       from notices where sink = ? and due_at is not null and due_at <= ?) as due
     order by turn, due_at, key limit ?`,
    sink,
    now,
    limit,
  );
}

export function selectSinks(runner: SqlRunner): Promise<{ sink: string }[]> {
  return runner.sql<{ sink: string }>('select sink from notice_sinks');
}

export async function deleteNoticesOf(tx: Tx, asker: string): Promise<void> {
  await tx.sql('delete from notices where project_id = ? and asker = ?', tx.projectId, asker);
}

async function selectNextNotice(runner: SqlRunner, sink: string): Promise<number | undefined> {
  const [row] = await runner.sql<{ due_at: number }>(
    'select due_at from notices where sink = ? and due_at is not null order by due_at limit 1',
    sink,
  );
  return row?.due_at;
}

/** Takes it for one attempt; false if somebody else did, or it was sent. Nobody retries before `until`. */
async function takeNotice(tx: Tx, notice: NoticeRow, until: number): Promise<boolean> {
  const changed = await tx.changes(
    'update notices set attempts = attempts + 1, due_at = ? where key = ? and due_at = ?',
    until,
    notice.key,
    notice.due_at,
  );
  return changed === 1;
}

async function deleteNotice(tx: Tx, key: string): Promise<void> {
  await tx.sql('delete from notices where key = ?', key);
}
