import type { SqlRunner } from '../engine/store.ts';
import type { WorkerRow } from '../engine/tables.ts';

/** Adds a worker, or says that it is still there. */
export async function putWorker(runner: SqlRunner, row: WorkerRow): Promise<void> {
  const { started_at: _, ...changed } = row;
  await runner.run(
    runner.db
      .insertInto('workers')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(changed)),
  );
}

export async function deleteWorker(runner: SqlRunner, id: string): Promise<void> {
  await runner.sql('delete from workers where id = ?', id);
}

export async function deleteWorkersUnseenSince(runner: SqlRunner, time: number): Promise<void> {
  await runner.sql('delete from workers where seen_at < ?', time);
}

/** Those that were seen since, by name. */
export function selectWorkers(runner: SqlRunner, since: number): Promise<WorkerRow[]> {
  return runner.sql<WorkerRow>('select * from workers where seen_at > ? order by name, id limit 1000', since);
}
