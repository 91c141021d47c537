import type { SqlRunner, Tx } from '../engine/store.ts';
import type { CloneRow } from '../engine/tables.ts';

/** Those of a project, the one that was used last first. */
export function selectClones(runner: SqlRunner, projectId: string): Promise<CloneRow[]> {
  return runner.sql<CloneRow>(
    'select * from clones where project_id = ? order by seen_at desc, id',
    projectId,
  );
}

/** Adds a clone, or replaces what is known of it. */
export async function putClone(tx: Tx, row: CloneRow): Promise<void> {
  await tx.run(
    tx.db
      .insertInto('clones')
      .values(row)
      .onConflict((conflict) => conflict.columns(['project_id', 'id']).doUpdateSet(row)),
  );
}

export async function deleteClone(tx: Tx, id: string): Promise<void> {
  await tx.sql('delete from clones where project_id = ? and id = ?', tx.projectId, id);
}
