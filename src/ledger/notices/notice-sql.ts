import type { SqlRunner, Tx } from '../engine/store.ts';
import type { NoticeRow } from '../engine/tables.ts';

/** True if the sink was not known; it then starts with the next event. */
export async function insertSink(runner: SqlRunner, sink: string): Promise<boolean> {
  const changed = await runner.changes(
    'insert into notice_sinks (sink) values (?) on conflict do nothing',
    sink,
  );
  return changed === 1;
}

/** Marks everything so far as seen by a new sink. */
export async function insertCursorsAtHead(runner: SqlRunner, sink: string): Promise<void> {
  await runner.sql(
    'insert into notice_cursors (project_id, sink, number) select id, ?, last_event from projects',
    sink,
  );
}

/** Projects with events that a sink has not seen; a project without a cursor was added later. */
export function selectBehind(runner: SqlRunner, sink: string): Promise<{ id: string }[]> {
  return runner.sql<{ id: string }>(
    `select projects.id from projects
     left join notice_cursors on notice_cursors.project_id = projects.id and notice_cursors.sink = ?
     where projects.last_event > coalesce(notice_cursors.number, 0)`,
    sink,
  );
}

export async function selectCursor(tx: Tx, sink: string): Promise<number> {
  const [row] = await tx.sql<{ number: number }>(
    'select number from notice_cursors where project_id = ? and sink = ?',
    tx.projectId,
    sink,
  );
  return row?.number ?? 0;
}

export async function updateCursor(tx: Tx, sink: string, number: number): Promise<void> {
  await tx.sql(
    `insert into notice_cursors (project_id, sink, number) values (?, ?, ?)
     on conflict (project_id, sink) do update set number = excluded.number`,
    tx.projectId,
    sink,
    number,
  );
}

export async function insertNotice(tx: Tx, row: NoticeRow): Promise<void> {
  await tx.run(
    tx.db
      .insertInto('notices')
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
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

export async function selectNextNotice(runner: SqlRunner, sink: string): Promise<number | undefined> {
  const [row] = await runner.sql<{ due_at: number }>(
    'select due_at from notices where sink = ? and due_at is not null order by due_at limit 1',
    sink,
  );
  return row?.due_at;
}

/** Takes it for one attempt; false if somebody else did, or it was sent. Nobody retries before `until`. */
export async function takeNotice(tx: Tx, notice: NoticeRow, until: number): Promise<boolean> {
  const changed = await tx.changes(
    'update notices set attempts = attempts + 1, due_at = ? where key = ? and due_at = ?',
    until,
    notice.key,
    notice.due_at,
  );
  return changed === 1;
}

export async function updateFailedNotice(
  tx: Tx,
  key: string,
  dueAt: number | null,
  error: string,
): Promise<void> {
  await tx.sql('update notices set due_at = ?, error = ? where key = ?', dueAt, error, key);
}

export async function deleteNotice(tx: Tx, key: string): Promise<void> {
  await tx.sql('delete from notices where key = ?', key);
}
