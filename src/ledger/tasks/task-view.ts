import type { Task } from '../../schema/task.ts';
import type { WorkTask } from '../../schema/work.ts';
import type { SqlRunner } from '../engine/store.ts';
import type { TaskRow } from '../engine/tables.ts';
import { selectDependencies } from './task-dependency-sql.ts';
import { toTask, toWorkTask } from './task-row.ts';

/** A task as it is shown, with its dependencies. */
export async function view(runner: SqlRunner, row: TaskRow): Promise<Task> {
  return toTask(row, await dependenciesOf(runner, row));
}

/** The same with what it is about. */
export async function workView(runner: SqlRunner, row: TaskRow): Promise<WorkTask> {
  return toWorkTask(row, await dependenciesOf(runner, row));
}

async function dependenciesOf(runner: SqlRunner, { project_id, id }: TaskRow): Promise<string[]> {
  return (await selectDependencies(runner, project_id, [id])).map(({ depends_on }) => depends_on);
}

export const views = (runner: SqlRunner, projectId: string, rows: TaskRow[]): Promise<Task[]> =>
  withDependencies(runner, projectId, rows, toTask);

export const workViews = (runner: SqlRunner, projectId: string, rows: TaskRow[]): Promise<WorkTask[]> =>
  withDependencies(runner, projectId, rows, toWorkTask);

async function withDependencies<View>(
  runner: SqlRunner,
  projectId: string,
  rows: TaskRow[],
  shown: (row: TaskRow, dependsOn: string[]) => View,
): Promise<View[]> {
  const dependsOn = new Map<string, string[]>(rows.map((row) => [row.id, []]));
  // A statement takes some ten thousand ids at most.
  for (let start = 0; start < rows.length; start += 5000) {
    const ids = rows.slice(start, start + 5000).map((row) => row.id);
    for (const { task_id, depends_on } of await selectDependencies(runner, projectId, ids)) {
      dependsOn.get(task_id)?.push(depends_on);
    }
  }
  return rows.map((row) => shown(row, dependsOn.get(row.id) ?? []));
}
