import type { SqlRunner, Tx } from '../engine/store.ts';
import type { PhaseRecordRow } from '../engine/tables.ts';

export async function insertPhaseRecord(tx: Tx, row: Omit<PhaseRecordRow, 'id'>): Promise<PhaseRecordRow> {
  const rows = await tx.run(
    tx.db
      .insertInto('phase_records')
      .values(row as PhaseRecordRow)
      .returningAll(),
  );
  return rows[0] as PhaseRecordRow;
}

/** The current iteration, which is 1 before anything is recorded. */
export async function selectIteration(tx: Tx, taskId: string): Promise<number> {
  const [row] = await tx.sql<{ iteration: number }>(
    'select coalesce(max(iteration), 1) as iteration from phase_records where project_id = ? and task_id = ?',
    tx.projectId,
    taskId,
  );
  return Math.max(1, row?.iteration ?? 1);
}

/** In the order in which they were written. */
export function selectPhaseRecords(
  runner: SqlRunner,
  projectId: string,
  taskId: string,
): Promise<PhaseRecordRow[]> {
  return runner.sql<PhaseRecordRow>(
    'select * from phase_records where project_id = ? and task_id = ? order by id',
    projectId,
    taskId,
  );
}

/** The records of one kind for all tasks whose ids begin with this, in the order in which they were written. */
export function selectPhaseRecordsWithin(
  runner: SqlRunner,
  projectId: string,
  within: string,
  kind: string,
): Promise<PhaseRecordRow[]> {
  return runner.sql<PhaseRecordRow>(
    'select * from phase_records where project_id = ? and substr(task_id, 1, ?) = ? and kind = ? order by id',
    projectId,
    within.length,
    within,
    kind,
  );
}

/** The last phase that was started on a branch. */
export async function selectStartedOn(
  runner: SqlRunner,
  projectId: string,
  branch: string,
): Promise<PhaseRecordRow | undefined> {
  const rows = await runner.sql<PhaseRecordRow>(
    'select * from phase_records where project_id = ? and branch = ? order by id desc limit 1',
    projectId,
    branch,
  );
  return rows[0];
}
