import {
  NOT_IN_PLAN,
  OPEN_QUESTION,
  type Standing,
  type TaskEdit,
  type TaskKind,
  type TaskStatus,
} from '../../schema/task.ts';
import type { SqlRunner, Tx } from '../engine/store.ts';
import type { Cursor } from '../engine/stored.ts';
import type { TaskRow } from '../engine/tables.ts';
import { isPlain } from './plain.ts';
import type { TaskState } from './task-machine.ts';

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
  runner: SqlRunner,
  projectId: string,
  id: string,
): Promise<TaskRow | undefined> {
  const rows = await runner.sql<TaskRow>(
    'select * from tasks where project_id = ? and id = ?',
    projectId,
    id,
  );
  return rows[0];
}

const plainKinds = ['task', 'phase'] as const;

/** Those of people and plans, unless the page names kinds or tasks. */
export function selectTasks(
  runner: SqlRunner,
  projectId: string,
  page: {
    status?: TaskStatus;
    kinds?: readonly TaskKind[];
    after?: number;
    within?: TaskScope;
    limit: number;
  },
): Promise<TaskRow[]> {
  let query = runner.db.selectFrom('tasks').selectAll().where('project_id', '=', projectId);
  if (page.status !== undefined) query = query.where('status', '=', page.status);
  if (page.after !== undefined) query = query.where('position', '>', page.after);
  const { within, kinds = within === undefined ? plainKinds : undefined } = page;
  if (kinds) query = query.where('kind', 'in', [...kinds]);
  if (typeof within === 'string')
    query = query.where(({ fn, val }) => fn('substr', ['id', val(1), val(within.length)]), '=', within);
  else if (within) query = query.where('id', '=', within.id);
  return runner.run(query.orderBy('position').limit(page.limit));
}

/** Which tasks are meant: those whose ids begin with a text, or the one with this id. */
export type TaskScope = string | { id: string };

/** The condition for a scope, with its values. */
function scoped(scope: TaskScope | undefined): { where: string; values: (string | number)[] } {
  if (scope === undefined) return { where: '', values: [] };
  if (typeof scope !== 'string') return { where: 'and id = ?', values: [scope.id] };
  return { where: 'and substr(id, 1, ?) = ?', values: [scope.length, scope] };
}

/** Where the sessions of the taker's agents are, and since when others must have been seen to count as alive. */
export interface Taker {
  home: string;
  aliveSince: number;
}

/** Whether a worker has all that a task needs. Both lists are sorted and have blanks between, see `needsText`. */
const ABLE = `(needs = '' or ' ' || replace(w.abilities, ' ', '  ') || ' ' like '% ' || replace(needs, ' ', ' % ') || ' %')`;

/**
 * The condition for what somebody may take. A session of a task's agent is in its home, so another home takes the task only
 * if nobody of that home is alive who would take it: a worker, if the task is queued, or a process that serves it.
 */
export function takeable(taker: Taker | undefined): { where: string; values: (string | number)[] } {
  if (taker === undefined) return { where: '', values: [] };
  const where = `and (home is null or home = ?
    or not exists (select 1 from workers w where w.home = tasks.home and w.seen_at > ?
      and (w.projects is null or w.projects like '%"' || tasks.project_id || '"%')
      and case when w.within is null then needs is not null and ${ABLE}
        else substr(tasks.id, 1, length(w.within)) = w.within end))`;
  return { where, values: [taker.home, taker.aliveSince] };
}

/** An index look-up: the partial index holds exactly the ready tasks, in order. */
export function selectReady(
  runner: SqlRunner,
  projectId: string,
  { limit, within, taker }: { limit: number; within?: TaskScope; taker?: Taker },
): Promise<TaskRow[]> {
  const [scope, may] = [scoped(within), takeable(taker)];
  return runner.sql<TaskRow>(
    `select * from tasks where project_id = ? and status = 'open' and unfinished = 0 and assignee is null and paused = 0 and ${isPlain}
     ${scope.where} ${may.where}
     order by priority, position limit ?`,
    projectId,
    ...scope.values,
    ...may.values,
    limit,
  );
}

/** Tasks whose worker let the lease expire; any worker may claim them. */
export function selectLapsed(
  runner: SqlRunner,
  projectId: string,
  { now, limit, within }: { now: number; limit: number; within?: TaskScope },
): Promise<TaskRow[]> {
  const { where, values } = scoped(within);
  return runner.sql<TaskRow>(
    `select * from tasks where project_id = ? and status = 'in_progress' and lease_until <= ? and unfinished = 0 and ${isPlain}
     ${where}
     order by priority, position limit ?`,
    projectId,
    now,
    ...values,
    limit,
  );
}

export async function countTasks(
  runner: SqlRunner,
  projectId: string,
  within?: TaskScope,
): Promise<Standing> {
  const { where, values } = scoped(within);
  const rows = await runner.sql<{ status: TaskStatus; asks: number; tasks: number }>(
    `select status, case when block_reason = ? then 1 else 0 end as asks, count(*) as tasks from tasks
     where project_id = ? ${where || `and ${isPlain}`} and (block_reason is null or block_reason <> ?) group by 1, 2`,
    OPEN_QUESTION,
    projectId,
    ...values,
    NOT_IN_PLAN,
  );
  const standing = { open: 0, in_progress: 0, blocked: 0, closed: 0, asking: 0 };
  for (const { status, asks, tasks } of rows) {
    standing[status] += Number(tasks);
    if (asks) standing.asking += Number(tasks);
  }
  return standing;
}

/** Claimed tasks, the oldest lease first. */
export function selectHeld(tx: Tx): Promise<TaskRow[]> {
  return tx.sql<TaskRow>(
    "select * from tasks where project_id = ? and status = 'in_progress' order by lease_until",
    tx.projectId,
  );
}

/** Writes a task's new state over the state that was read; undefined if somebody else wrote first. */
export async function updateTask(tx: Tx, before: TaskState, after: TaskState): Promise<TaskRow | undefined> {
  tx.tasksChanged();
  const closed = after.status === 'closed' ? tx.now : null;
  const [row] = await tx.sql<TaskRow>(
    `update tasks set status = ?, assignee = ?, block_reason = ?, fence = ?, lease_until = ?, kept_for = ?, claimed_by = ?, updated_at = ?, closed_at = ?, queued = 0
     where project_id = ? and id = ? and fence = ? and status = ? returning *`,
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
  return row;
}

const MANY_ROWS = 50;

/**
 * PostgreSQL plans a statement by what it last counted, and counts again about once a minute. Until then it would read all of
 * many new tasks to find one.
 */
export async function refreshStatistics(tx: Tx, changed: number): Promise<void> {
  if (tx.dialect === 'postgres' && changed >= MANY_ROWS) await tx.sql('analyze tasks, task_dependencies');
}

/** From now on only its run or a person can end it. */
export async function markPhase(tx: Tx, id: string, input: string): Promise<void> {
  await tx.sql(
    "update tasks set kind = 'phase', input = ? where project_id = ? and id = ?",
    input,
    tx.projectId,
    id,
  );
}

/** Of one kind, newest first. */
export function selectOfKind(
  runner: SqlRunner,
  projectId: string,
  kind: TaskKind,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<TaskRow[]> {
  const from = after ? 'and (created_at, id) < (?, ?)' : '';
  return runner.sql<TaskRow>(
    `select * from tasks where project_id = ? and kind = ? ${from} order by created_at desc, id desc limit ?`,
    projectId,
    kind,
    ...(after ? [after.at, after.id] : []),
    limit,
  );
}

export async function updateInput(tx: Tx, id: string, input: string): Promise<void> {
  await tx.sql('update tasks set input = ? where project_id = ? and id = ?', input, tx.projectId, id);
}

export async function replaceResult(tx: Tx, id: string, kind: TaskKind, result: string): Promise<void> {
  await tx.sql(
    'update tasks set result = ? where project_id = ? and id = ? and kind = ?',
    result,
    tx.projectId,
    id,
    kind,
  );
}

/** False if it has a result already. */
export async function updateResult(tx: Tx, id: string, result: string): Promise<boolean> {
  const changed = await tx.changes(
    'update tasks set result = ? where project_id = ? and id = ? and result is null',
    result,
    tx.projectId,
    id,
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
