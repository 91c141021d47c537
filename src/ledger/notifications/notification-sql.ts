import type { Notification, Response } from '../../schema/notification.ts';
import type { SqlRunner, Tx } from '../engine/store.ts';
import { type Cursor, iso } from '../engine/stored.ts';
import type { HowSettled, NotificationRow } from '../engine/tables.ts';

/** How the name of the policy begins that answers by a standing decision. */
export const STANDING_DECISION = 'standing decision ';

/** By its primary key alone: with the project as well, PostgreSQL may choose another index while it has no statistics. */
export async function selectNotification(
  runner: SqlRunner,
  projectId: string,
  id: string,
): Promise<NotificationRow | undefined> {
  const [row] = await runner.sql<NotificationRow>('select * from open_questions where id = ?', id);
  return row?.project_id === projectId ? row : undefined;
}

/** Ids that start with `prefix`, in any project; at most `limit`. */
export function selectByPrefix(runner: SqlRunner, prefix: string, limit: number): Promise<NotificationRow[]> {
  return runner.run(
    runner.db
      .selectFrom('open_questions')
      .selectAll()
      .where('id', '>=', prefix)
      .where('id', '<', `${prefix}~`)
      .orderBy('id')
      .limit(limit),
  );
}

/** Updates the material of an open gate. */
export async function updateGate(tx: Tx, id: string, gate: string | null): Promise<void> {
  await tx.sql(
    "update open_questions set gate = ?, version = version + 1 where id = ? and status = 'open'",
    gate,
    id,
  );
}

/** Where a page of the questions ended. */
export interface PlaceInQueue extends Cursor {
  overflow: boolean;
}

export interface Page {
  /** All projects if left out. */
  projectId?: string;
  status: NotificationRow['status'][];
  after?: PlaceInQueue;
  limit: number;
}

/** Oldest first. Questions beyond an agent's share come last. */
export function selectPage(runner: SqlRunner, page: Page): Promise<NotificationRow[]> {
  let query = runner.db.selectFrom('open_questions').selectAll();
  const [only] = page.status;
  query =
    page.status.length === 1 && only !== undefined
      ? query.where('status', '=', only)
      : query.where('status', 'in', page.status);
  if (page.projectId !== undefined) query = query.where('project_id', '=', page.projectId);
  const { after } = page;
  if (after) {
    const place = [after.overflow ? 1 : 0, after.at, after.id] as const;
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('overflow', 'created_at', 'id'), '>', tuple(...place)),
    );
  }
  return runner.run(query.orderBy('overflow').orderBy('created_at').orderBy('id').limit(page.limit));
}

/** The notices, newest first. */
export function selectRecorded(
  runner: SqlRunner,
  { projectId, after, limit }: { projectId?: string; after?: Cursor; limit: number },
): Promise<NotificationRow[]> {
  return runner.sql<NotificationRow>(
    `select * from open_questions where ${projectId === undefined ? '' : 'project_id = ? and'} status = 'recorded'
     and overflow = 0 ${after ? 'and (created_at, id) < (?, ?)' : ''} order by created_at desc, id desc limit ?`,
    ...(projectId === undefined ? [] : [projectId]),
    ...(after ? [after.at, after.id] : []),
    limit,
  );
}

export async function countNotifications(
  runner: SqlRunner,
  status: NotificationRow['status'][],
  projectId?: string,
): Promise<number> {
  let query = runner.db
    .selectFrom('open_questions')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('status', 'in', status);
  if (projectId !== undefined) query = query.where('project_id', '=', projectId);
  const rows = await runner.run(query);
  return Number(rows[0]?.count ?? 0);
}

/** How many open questions an asker has in the project, counted up to `most`. */
export async function countOpenOf(tx: Tx, createdBy: string, most: number): Promise<number> {
  const rows = await tx.sql<{ count: number }>(
    `select count(*) as count from (select 1 from open_questions where project_id = ? and created_by = ?
     and status = 'open' limit ?) as counted`,
    tx.projectId,
    createdBy,
    most,
  );
  return Number(rows[0]?.count ?? 0);
}

/** An asker's open questions in the project. */
export function selectOpenOf(tx: Tx, createdBy: string): Promise<NotificationRow[]> {
  return tx.sql<NotificationRow>(
    "select * from open_questions where project_id = ? and created_by = ? and status = 'open'",
    tx.projectId,
    createdBy,
  );
}

/** What holds this task, oldest first. Sorted here, because with an order by clause SQLite would scan all open questions. */
export async function selectOpenForTask(tx: Tx, taskId: string): Promise<NotificationRow[]> {
  const rows = await tx.sql<NotificationRow>(
    "select * from open_questions where project_id = ? and task_id = ? and status = 'open'",
    tx.projectId,
    taskId,
  );
  return rows.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
}

/** What the agents of a task's runs asked. */
export function selectOpenOfRuns(tx: Tx, taskId: string): Promise<NotificationRow[]> {
  return tx.sql<NotificationRow>(
    `select q.* from runs r join open_questions q on q.project_id = r.project_id and q.run_id = r.id
     where r.project_id = ? and r.task_id = ? and q.status = 'open' order by q.created_at, q.id`,
    tx.projectId,
    taskId,
  );
}

/** `open` is written out, because a partial index is not used if its condition is a parameter. */
export function selectDue(runner: SqlRunner, now: number, limit: number): Promise<NotificationRow[]> {
  return runner.sql<NotificationRow>(
    `select * from open_questions where status = 'open' and deadline_at is not null and deadline_at <= ?
     order by deadline_at limit ?`,
    now,
    limit,
  );
}

export async function selectNextDeadline(runner: SqlRunner): Promise<number | undefined> {
  const [row] = await runner.sql<{ deadline_at: number }>(
    `select deadline_at from open_questions where status = 'open' and deadline_at is not null
     order by deadline_at limit 1`,
  );
  return row?.deadline_at;
}

export function toNotification(row: NotificationRow): Notification {
  const notification: Notification = {
    id: row.id,
    projectId: row.project_id,
    source: row.source,
    sourceId: row.source_id,
    kind: row.kind,
    holds: {},
    status: row.status,
    questions: JSON.parse(row.questions),
    responses: JSON.parse(row.responses),
    policy: JSON.parse(row.policy),
    createdAt: iso(row.created_at),
    createdBy: JSON.parse(row.created_by),
  };
  if (row.task_id !== null) notification.holds.task = row.task_id;
  if (row.run_id !== null) notification.holds.run = row.run_id;
  if (row.outcome !== null) notification.outcome = row.outcome;
  if (row.deadline_at !== null) notification.deadlineAt = iso(row.deadline_at);
  if (row.proposal !== null) notification.proposal = JSON.parse(row.proposal);
  if (row.overflow !== 0) notification.overflow = true;
  if (row.resume !== null) notification.resume = JSON.parse(row.resume);
  if (row.replaced !== null) notification.replaced = JSON.parse(row.replaced);
  if (row.gate !== null) notification.gate = JSON.parse(row.gate);
  if (row.resolved_at !== null) notification.resolvedAt = iso(row.resolved_at);
  if (row.resolved_by !== null) notification.resolvedBy = JSON.parse(row.resolved_by);
  if (row.reason !== null) notification.reason = row.reason;
  if (row.superseded_by !== null) notification.supersededBy = row.superseded_by;
  if (row.delivered_at !== null) notification.deliveredAt = iso(row.delivered_at);
  return notification;
}

/** The columns that a change of state may touch. */
export function changedColumns(row: NotificationRow, next: Notification): Partial<NotificationRow> {
  return {
    version: row.version + 1,
    status: next.status,
    outcome: next.outcome ?? null,
    responses: JSON.stringify(next.responses),
    replaced: next.replaced ? JSON.stringify(next.replaced) : null,
    policy: JSON.stringify(next.policy),
    proposal: next.proposal ? JSON.stringify(next.proposal) : null,
    // A settled notification is no longer in the queue.
    overflow: next.status === 'open' ? row.overflow : 0,
    reason: next.reason ?? null,
    superseded_by: next.supersededBy ?? null,
    deadline_at: msOrNull(next.deadlineAt),
    resolved_at: msOrNull(next.resolvedAt),
    resolved_by: next.resolvedBy ? JSON.stringify(next.resolvedBy) : null,
    delivered_at: msOrNull(next.deliveredAt),
    settled: howSettled(next),
    settled_at: row.settled_at ?? msOrNull(next.resolvedAt),
  };
}

function howSettled({ outcome, responses, replaced = [] }: Notification): HowSettled | null {
  if (outcome === undefined) return null;
  if (replaced.some(isAssumption)) return 'corrected';
  if (outcome === 'withdrawn' || outcome === 'superseded' || outcome === 'expired') return 'dropped';
  if (responses.some(isAssumption)) return 'assumed';
  return responses.some(isStanding) ? 'standing' : 'person';
}

const isStanding = ({ by: { actor } }: Response) =>
  actor.kind === 'policy' && actor.name.startsWith(STANDING_DECISION);

const isAssumption = (response: Response) =>
  response.kind === 'skipped' || (response.by.actor.kind === 'policy' && !isStanding(response));

const msOrNull = (time: string | undefined) => (time === undefined ? null : Date.parse(time));
