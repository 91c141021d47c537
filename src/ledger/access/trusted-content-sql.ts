import type { SqlRunner, Tx } from '../engine/store.ts';
import type { TrustedContentRow } from '../engine/tables.ts';

/** The trusted contents of a project, by name. */
export function selectTrustedContents(runner: SqlRunner, projectId: string): Promise<TrustedContentRow[]> {
  return runner.sql<TrustedContentRow>(
    'select * from trusted_contents where project_id = ? order by name',
    projectId,
  );
}

export async function selectTrustedContent(
  runner: SqlRunner,
  projectId: string,
  name: string,
): Promise<TrustedContentRow | undefined> {
  const [row] = await runner.sql<TrustedContentRow>(
    'select * from trusted_contents where project_id = ? and name = ?',
    projectId,
    name,
  );
  return row;
}

/** Replaces the one with the same name. */
export async function putTrustedContent(tx: Tx, row: TrustedContentRow): Promise<void> {
  await tx.run(
    tx.db
      .insertInto('trusted_contents')
      .values(row)
      .onConflict((conflict) => conflict.columns(['project_id', 'name']).doUpdateSet(row)),
  );
}

/** False if there was none. */
export async function deleteTrustedContent(tx: Tx, name: string): Promise<boolean> {
  const rows = await tx.sql<{ name: string }>(
    'delete from trusted_contents where project_id = ? and name = ? returning name',
    tx.projectId,
    name,
  );
  return rows.length > 0;
}
