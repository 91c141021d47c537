import type { SqlRunner, Tx } from '../engine/store.ts';
import type { PlanOriginRow } from '../engine/tables.ts';

export async function selectPlanOrigin(
  runner: SqlRunner,
  projectId: string,
  plan: string,
): Promise<PlanOriginRow | undefined> {
  const [row] = await runner.sql<PlanOriginRow>(
    'select * from plan_origins where project_id = ? and plan = ?',
    projectId,
    plan,
  );
  return row;
}

/** Replaces the one of the same plan. */
export async function putPlanOrigin(tx: Tx, row: PlanOriginRow): Promise<void> {
  await tx.run(
    tx.db
      .insertInto('plan_origins')
      .values(row)
      .onConflict((conflict) => conflict.columns(['project_id', 'plan']).doUpdateSet(row)),
  );
}
