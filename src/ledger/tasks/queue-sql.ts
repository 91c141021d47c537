import type { SqlRunner, Tx, WantedGroup } from '../engine/store.ts';
import type { TaskRow } from '../engine/tables.ts';
import { refreshStatistics, type Taker, takeable } from './task-sql.ts';

/** Ready tasks that workers may take: the condition of the partial indexes. */
const READY = `status = 'open' and unfinished = 0 and assignee is null and paused = 0 and needs is not null`;

/** Each group that has ready tasks: one look-up per group, however many tasks it has. */
export async function selectWantedGroups(runner: SqlRunner, projectId?: string): Promise<WantedGroup[]> {
  const groups: WantedGroup[] = [];
  for (let last: WantedGroup = { projectId: projectId ?? '', needs: '' }, first = true; ; first = false) {
    const [next] = await runner.sql<{ project_id: string; needs: string }>(
      `select project_id, needs from tasks where ${READY} and (project_id, needs) ${first ? '>=' : '>'} (?, ?)
       order by project_id, needs limit 1`,
      last.projectId,
      last.needs,
    );
    if (!next || (projectId !== undefined && next.project_id !== projectId)) return groups;
    last = { projectId: next.project_id, needs: next.needs };
    groups.push(last);
  }
}

/** The tasks that wait for a worker, counted up to `most`. */
export async function countWanted(runner: SqlRunner, most: number): Promise<number> {
  const [row] = await runner.sql<{ count: number }>(
    `select count(*) as count from (select 1 from tasks where ${READY} limit ?) as counted`,
    most,
  );
  return Number(row?.count ?? 0);
}

/** The first task of a group that this worker may take. */
export async function selectWanted(tx: Tx, needs: string, taker: Taker): Promise<TaskRow | undefined> {
  const { where, values } = takeable(taker);
  const [row] = await tx.sql<TaskRow>(
    `select * from tasks where project_id = ? and needs = ? and ${READY} ${where}
     order by priority, position limit 1`,
    tx.projectId,
    needs,
    ...values,
  );
  return row;
}

/** One task, if this worker may take it now. */
export async function selectWantedTask(tx: Tx, id: string, taker: Taker): Promise<TaskRow | undefined> {
  const { where, values } = takeable(taker);
  const [row] = await tx.sql<TaskRow>(
    `select * from tasks where project_id = ? and id = ? and ${READY} ${where}`,
    tx.projectId,
    id,
    ...values,
  );
  return row;
}

/** Ready tasks whose agents' sessions are in this home. */
export function selectAtHome(
  runner: SqlRunner,
  home: string,
): Promise<Pick<TaskRow, 'project_id' | 'id' | 'needs'>[]> {
  return runner.sql(
    `select project_id, id, needs from tasks where home = ? and ${READY} order by priority, position limit 100`,
    home,
  );
}

/** Tasks that a worker has claimed, the oldest lease first. */
export function selectWantedHeld(
  runner: SqlRunner,
): Promise<Pick<TaskRow, 'project_id' | 'id' | 'assignee' | 'lease_until'>[]> {
  return runner.sql(
    `select project_id, id, assignee, lease_until from tasks
     where status = 'in_progress' and needs is not null order by lease_until limit 1000`,
  );
}

/** Whether an order has unfinished tasks. */
export async function selectIsWanted(runner: SqlRunner, projectId: string, scope: string): Promise<boolean> {
  const rows = await runner.sql(
    `select 1 from tasks where project_id = ? and ${inScope(scope)} and needs is not null and status <> 'closed' limit 1`,
    projectId,
    scope.length,
    scope,
  );
  return rows.length > 0;
}

/** Whether an unfinished task needs exactly this. */
export async function selectIsNeeded(runner: SqlRunner, needs: string): Promise<boolean> {
  const rows = await runner.sql(
    "select 1 from tasks where needs = ? and needs is not null and status <> 'closed' limit 1",
    needs,
  );
  return rows.length > 0;
}

/** Those of these tasks that somebody holds, or that are kept for somebody. */
export function selectHeldWithin(tx: Tx, scope: string): Promise<TaskRow[]> {
  return tx.sql(
    `select * from tasks where project_id = ? and ${inScope(scope)} and (status = 'in_progress' or kept_for is not null)`,
    tx.projectId,
    scope.length,
    scope,
  );
}

/** Stores where its agent's session is from now on. */
export async function updateHome(tx: Tx, id: string, home: string): Promise<void> {
  await tx.sql('update tasks set home = ? where project_id = ? and id = ?', home, tx.projectId, id);
}

/** Lets workers take these tasks, in this way; finished ones stay as they are. */
export async function updateQueued(
  tx: Tx,
  scope: string,
  { needs, options, by }: { needs: string; options: string; by: string },
): Promise<void> {
  tx.tasksChanged();
  const changed = await tx.changes(
    `update tasks set needs = ?, options = ?, requested_by = ?, requested_at = ?, queued = 0
     where project_id = ? and ${inScope(scope)} and status <> 'closed'`,
    needs,
    options,
    by,
    tx.now,
    tx.projectId,
    scope.length,
    scope,
  );
  await refreshStatistics(tx, changed);
}

/** Stores how these tasks are done now; what is queued for workers, and finished tasks, stay as they are. */
export async function updateOptions(
  tx: Tx,
  scope: string,
  { options, by }: { options: string; by: string },
): Promise<void> {
  await tx.sql(
    `update tasks set options = ?, requested_by = ?, requested_at = ?
     where project_id = ? and ${inScope(scope)} and status <> 'closed' and needs is null`,
    options,
    by,
    tx.now,
    tx.projectId,
    scope.length,
    scope,
  );
}

/** Workers leave these tasks alone. */
export async function updateUnqueued(tx: Tx, scope: string): Promise<void> {
  await tx.sql(
    `update tasks set needs = null, queued = 0 where project_id = ? and ${inScope(scope)}`,
    tx.projectId,
    scope.length,
    scope,
  );
}

/** Keeps everybody from taking these tasks, or not any more; finished ones stay as they are. False if there are none. */
export async function updatePaused(tx: Tx, scope: string, paused: boolean): Promise<boolean> {
  tx.tasksChanged();
  const changed = await tx.changes(
    `update tasks set paused = ?, queued = 0 where project_id = ? and ${inScope(scope)} and status <> 'closed'`,
    paused ? 1 : 0,
    tx.projectId,
    scope.length,
    scope,
  );
  return changed > 0;
}

/** Any of these tasks that is queued for workers. */
export async function selectOrdered(
  runner: SqlRunner,
  projectId: string,
  scope: string,
): Promise<TaskRow | undefined> {
  const [row] = await runner.sql<TaskRow>(
    `select * from tasks where project_id = ? and ${inScope(scope)} and options is not null and needs is not null
     order by requested_at desc limit 1`,
    projectId,
    scope.length,
    scope,
  );
  return row;
}

/** One task of each order, newest first. */
export function selectOrders(runner: SqlRunner, projectId: string): Promise<TaskRow[]> {
  return runner.sql<TaskRow>(
    `select * from tasks where project_id = ? and options is not null and id in
       (select min(id) from tasks where project_id = ? and options is not null
        group by case when kind = 'phase' then input else id end)
     order by requested_at desc, id limit 1000`,
    projectId,
    projectId,
  );
}

/** The tasks of a plan begin with its name; a single task is given by its full id. */
const inScope = (scope: string) =>
  `substr(id, 1, ?) = ?${scope.endsWith('/') ? '' : ` and length(id) = ${scope.length}`}`;

/** The next tasks of a group that no job points to yet. */
export function selectUnqueued(
  runner: SqlRunner,
  { projectId, needs }: WantedGroup,
  limit: number,
): Promise<Pick<TaskRow, 'id' | 'priority' | 'position'>[]> {
  return runner.sql(
    `select id, priority, position from tasks where project_id = ? and needs = ? and ${READY} and queued = 0 order by priority, position limit ?`,
    projectId,
    needs,
    limit,
  );
}

export async function countQueued(
  runner: SqlRunner,
  { projectId, needs }: WantedGroup,
  most: number,
): Promise<number> {
  const [row] = await runner.sql<{ queued: number }>(
    `select count(*) as queued from
       (select 1 from tasks where project_id = ? and needs = ? and ${READY} and queued = 1 limit ?) as queued_tasks`,
    projectId,
    needs,
    most,
  );
  return Number(row?.queued ?? 0);
}

export async function markQueued(
  runner: SqlRunner,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await runner.sql(
    `update tasks set queued = 1 where project_id = ? and id in (${ids.map(() => '?').join(', ')})`,
    projectId,
    ...ids,
  );
}
