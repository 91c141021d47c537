import type { SqlRunner, Tx } from '../engine/store.ts';
import type { ApproachRow } from '../engine/tables.ts';

/** The approaches of a feature, by specialist and number. */
export function selectApproaches(
  runner: SqlRunner,
  projectId: string,
  scope: string,
): Promise<ApproachRow[]> {
  return runner.sql<ApproachRow>(
    'select * from approaches where project_id = ? and scope = ? order by agent, number, variant',
    projectId,
    scope,
  );
}

/** Replaces the one with the same specialist, number and variant. */
export async function putApproach(tx: Tx, row: ApproachRow): Promise<void> {
  await tx.run(
    tx.db
      .insertInto('approaches')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'scope', 'agent', 'number', 'variant']).doUpdateSet(row),
      ),
  );
}

export async function deleteApproach(
  tx: Tx,
  { scope, agent, number, variant }: Pick<ApproachRow, 'scope' | 'agent' | 'number' | 'variant'>,
): Promise<void> {
  await tx.sql(
    'delete from approaches where project_id = ? and scope = ? and agent = ? and number = ? and variant = ?',
    tx.projectId,
    scope,
    agent,
    number,
    variant,
  );
}
