import { sql } from 'kysely';
import type { SqlRunner, Tx } from '../engine/store.ts';
import type { DependencyRow } from '../engine/tables.ts';

/** Updates the tasks that depend on this one, which was closed (-1) or reopened (+1). */
export async function addToUnfinished(tx: Tx, taskId: string, step: 1 | -1): Promise<void> {
  tx.tasksChanged();
  await tx.sql(
    `update tasks set unfinished = unfinished + ? where project_id = ? and id in
       (select task_id from task_dependencies where project_id = ? and depends_on = ?)`,
    step,
    tx.projectId,
    tx.projectId,
    taskId,
  );
}

/** False if the dependency already existed. */
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

/** False if the dependency did not exist. */
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
  tx.tasksChanged();
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

/** The direct dependencies of a task. */
export async function selectDependencies(runner: SqlRunner, projectId: string, taskIds: string[]) {
  if (taskIds.length === 0) return [];
  return runner.run(
    runner.db
      .selectFrom('task_dependencies')
      .select(['task_id', 'depends_on'])
      .where('project_id', '=', projectId)
      .where('task_id', 'in', taskIds)
      .orderBy('task_id')
      .orderBy('depends_on'),
  );
}

/** True if `from` depends on `target`, directly or indirectly. */
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
