import { sql } from 'kysely';
import {
  NOT_IN_PLAN,
  OPEN_QUESTION,
  type Standing,
  type TaskEdit,
  type TaskStatus,
} from '../../schema/task.ts';
import type { TaskState } from '../machine/task.ts';
import type { Session, Tx } from './store.ts';
import type { ChatRow, DependencyRow, TaskRow } from './tables.ts';

export async function insertTask(tx: Tx, row: TaskRow): Promise<boolean> {
  const rows = await tx.run(
    tx.db
      .insertInto('tasks')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  );
  return rows.length === 1;
}

export async function selectTask(
  session: Session,
  projectId: string,
  id: string,
): Promise<TaskRow | undefined> {
  const rows = await session.sql<TaskRow>(
    'select * from tasks where project_id = ? and id = ?',
    projectId,
    id,
  );
  return rows[0];
}

export function selectTasks(
  session: Session,
  projectId: string,
  page: { status?: string; after?: number; within?: string; limit: number },
): Promise<TaskRow[]> {
  let query = session.db.selectFrom('tasks').selectAll().where('project_id', '=', projectId);
  if (page.status !== undefined) query = query.where('status', '=', page.status);
  if (page.after !== undefined) query = query.where('position', '>', page.after);
  const { within } = page;
  if (within !== undefined)
    query = query.where(({ fn, val }) => fn('substr', ['id', val(1), val(within.length)]), '=', within);
  return session.run(query.orderBy('position').limit(page.limit));
}

/** An index look-up: the partial index holds exactly the tasks that can be started, in order. */
export function selectReady(
  session: Session,
  projectId: string,
  { limit, within }: { limit: number; within?: string },
): Promise<TaskRow[]> {
  return session.sql<TaskRow>(
    `select * from tasks where project_id = ? and status = 'open' and unfinished = 0 and assignee is null
     ${within === undefined ? '' : 'and substr(id, 1, ?) = ?'}
     order by priority, position limit ?`,
    projectId,
    ...(within === undefined ? [] : [within.length, within]),
    limit,
  );
}

/** Those whose worker let the lease run out: whoever claims one of them gets it. */
export function selectLapsed(
  session: Session,
  projectId: string,
  { now, limit, within }: { now: number; limit: number; within?: string },
): Promise<TaskRow[]> {
  return session.sql<TaskRow>(
    `select * from tasks where project_id = ? and status = 'in_progress' and lease_until <= ? and unfinished = 0
     ${within === undefined ? '' : 'and substr(id, 1, ?) = ?'}
     order by priority, position limit ?`,
    projectId,
    now,
    ...(within === undefined ? [] : [within.length, within]),
    limit,
  );
}

export async function countTasks(session: Session, projectId: string, within = ''): Promise<Standing> {
  const rows = await session.sql<{ status: TaskStatus; asks: number; tasks: number }>(
    `select status, case when block_reason = ? then 1 else 0 end as asks, count(*) as tasks from tasks
     where project_id = ? and substr(id, 1, ?) = ? and (block_reason is null or block_reason <> ?) group by 1, 2`,
    OPEN_QUESTION,
    projectId,
    within.length,
    within,
    NOT_IN_PLAN,
  );
  const standing = { open: 0, in_progress: 0, blocked: 0, closed: 0, asking: 0 };
  for (const { status, asks, tasks } of rows) {
    standing[status] += Number(tasks);
    if (asks) standing.asking += Number(tasks);
  }
  return standing;
}

/** Those that somebody is at, the oldest lease first. */
export function selectHeld(tx: Tx): Promise<TaskRow[]> {
  return tx.sql<TaskRow>(
    "select * from tasks where project_id = ? and status = 'in_progress' order by lease_until",
    tx.projectId,
  );
}

/** Writes a task's new state over the state that was read; false where somebody else was first. */
export async function updateTask(tx: Tx, before: TaskState, after: TaskState): Promise<boolean> {
  const closed = after.status === 'closed' ? tx.now : null;
  const changed = await tx.changes(
    `update tasks set status = ?, assignee = ?, block_reason = ?, fence = ?, lease_until = ?, kept_for = ?, claimed_by = ?, updated_at = ?, closed_at = ?
     where project_id = ? and id = ? and fence = ? and status = ?`,
    after.status,
    after.assignee,
    after.blockReason,
    after.fence,
    after.leaseUntil,
    after.keptFor,
    after.claimedBy,
    tx.now,
    closed,
    tx.projectId,
    after.id,
    before.fence,
    before.status,
  );
  return changed === 1;
}

/** Only what is given changes. */
export async function updateTaskText(tx: Tx, id: string, edit: TaskEdit): Promise<void> {
  await tx.sql(
    `update tasks set title = coalesce(?, title), body = coalesce(?, body), priority = coalesce(?, priority), updated_at = ?
     where project_id = ? and id = ?`,
    edit.title ?? null,
    edit.body ?? null,
    edit.priority ?? null,
    tx.now,
    tx.projectId,
    id,
  );
}

/** Tells the tasks that wait for this one that it was closed (-1) or reopened (+1). */
export async function addToUnfinished(tx: Tx, taskId: string, step: 1 | -1): Promise<void> {
  await tx.sql(
    `update tasks set unfinished = unfinished + ? where project_id = ? and id in
       (select task_id from task_dependencies where project_id = ? and depends_on = ?)`,
    step,
    tx.projectId,
    tx.projectId,
    taskId,
  );
}

/** False where the dependency was there already. */
export async function insertDependency(tx: Tx, row: DependencyRow): Promise<boolean> {
  const rows = await tx.run(
    tx.db
      .insertInto('task_dependencies')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('task_id'),
  );
  return rows.length === 1;
}

/** False where there was no such dependency. */
export async function deleteDependency(tx: Tx, taskId: string, dependsOn: string): Promise<boolean> {
  const changed = await tx.changes(
    'delete from task_dependencies where project_id = ? and task_id = ? and depends_on = ?',
    tx.projectId,
    taskId,
    dependsOn,
  );
  return changed === 1;
}

export async function decrementUnfinished(tx: Tx, taskId: string): Promise<void> {
  await tx.sql(
    'update tasks set unfinished = unfinished - 1 where project_id = ? and id = ?',
    tx.projectId,
    taskId,
  );
}

export async function incrementUnfinished(tx: Tx, taskId: string): Promise<void> {
  await tx.sql(
    'update tasks set unfinished = unfinished + 1 where project_id = ? and id = ?',
    tx.projectId,
    taskId,
  );
}

export async function hasDependents(tx: Tx, taskId: string): Promise<boolean> {
  const rows = await tx.sql<{ task_id: string }>(
    'select task_id from task_dependencies where project_id = ? and depends_on = ? limit 1',
    tx.projectId,
    taskId,
  );
  return rows.length === 1;
}

export async function selectDependents(tx: Tx, taskId: string): Promise<string[]> {
  const rows = await tx.sql<{ task_id: string }>(
    'select task_id from task_dependencies where project_id = ? and depends_on = ?',
    tx.projectId,
    taskId,
  );
  return rows.map(({ task_id }) => task_id);
}

/** What a task waits for, directly. */
export async function selectDependencies(session: Session, projectId: string, taskIds: string[]) {
  if (taskIds.length === 0) return [];
  return session.run(
    session.db
      .selectFrom('task_dependencies')
      .select(['task_id', 'depends_on'])
      .where('project_id', '=', projectId)
      .where('task_id', 'in', taskIds)
      .orderBy('task_id')
      .orderBy('depends_on'),
  );
}

/** True where `from` waits for `target`, directly or through others. */
export async function reaches(tx: Tx, from: string, target: string): Promise<boolean> {
  const rows = await tx.run(
    tx.db
      .withRecursive('reached(id)', (db) =>
        db
          .selectFrom('task_dependencies')
          .select('depends_on as id')
          .where('project_id', '=', tx.projectId)
          .where('task_id', '=', from)
          .union(
            db
              .selectFrom('task_dependencies as d')
              .innerJoin('reached as r', 'r.id', 'd.task_id')
              .select('d.depends_on as id')
              .where('d.project_id', '=', tx.projectId),
          ),
      )
      .selectFrom('reached')
      .select(sql<number>`1`.as('found'))
      .where('id', '=', target)
      .limit(1),
  );
  return rows.length === 1;
}

export function insertChat(tx: Tx, row: Omit<ChatRow, 'id' | 'project_id' | 'at'>): Promise<ChatRow[]> {
  return tx.sql<ChatRow>(
    'insert into task_chat (project_id, task_id, at, "by", text, notification_id) values (?, ?, ?, ?, ?, ?) returning *',
    tx.projectId,
    row.task_id,
    tx.now,
    row.by,
    row.text,
    row.notification_id,
  );
}

/** Oldest first. */
export function selectChat(
  session: Session,
  projectId: string,
  taskId: string,
  { after, limit }: { after: number; limit: number },
): Promise<ChatRow[]> {
  return session.sql<ChatRow>(
    'select * from task_chat where project_id = ? and task_id = ? and id > ? order by id limit ?',
    projectId,
    taskId,
    after,
    limit,
  );
}
