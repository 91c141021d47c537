import type { SqlRunner, Tx } from '../engine/store.ts';
import type { WorkOrderRow } from '../engine/tables.ts';

/** Adds the order, or replaces an earlier one for the same tasks. */
export async function putWorkOrder(tx: Tx, row: WorkOrderRow): Promise<void> {
  await tx.run(
    tx.db
      .insertInto('work_orders')
      .values(row)
      .onConflict((conflict) => conflict.columns(['project_id', 'scope']).doUpdateSet(row)),
  );
}

export async function deleteWorkOrder(tx: Tx, scope: string): Promise<void> {
  await tx.sql('delete from work_orders where project_id = ? and scope = ?', tx.projectId, scope);
}

/** The order that a task belongs to: its own, or that of its plan. */
export async function selectWorkOrder(
  runner: SqlRunner,
  projectId: string,
  scopes: readonly [string, string],
): Promise<WorkOrderRow | undefined> {
  const [row] = await runner.sql<WorkOrderRow>(
    'select * from work_orders where project_id = ? and scope in (?, ?) order by scope desc limit 1',
    projectId,
    ...scopes,
  );
  return row;
}

/** Newest first. */
export function selectWorkOrders(runner: SqlRunner, projectId: string): Promise<WorkOrderRow[]> {
  return runner.sql<WorkOrderRow>(
    'select * from work_orders where project_id = ? order by at desc, scope limit 1000',
    projectId,
  );
}
