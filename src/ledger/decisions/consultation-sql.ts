import type { SqlRunner, Tx } from '../engine/store.ts';
import type { Cursor } from '../engine/stored.ts';
import type { ConsultationRow } from '../engine/tables.ts';

export async function insertConsultation(tx: Tx, row: ConsultationRow): Promise<void> {
  await tx.run(tx.db.insertInto('consultations').values(row));
}

/** False if it is no longer open. */
export async function finishConsultation(tx: Tx, id: string, result: string): Promise<boolean> {
  const rows = await tx.sql<{ id: string }>(
    `update consultations set status = 'done', result = ?, updated_at = ?
     where project_id = ? and id = ? and status = 'open' returning id`,
    result,
    tx.now,
    tx.projectId,
    id,
  );
  return rows.length > 0;
}

export async function selectConsultation(
  runner: SqlRunner,
  projectId: string,
  id: string,
): Promise<ConsultationRow | undefined> {
  const rows = await runner.run(
    runner.db
      .selectFrom('consultations')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('id', '=', id),
  );
  return rows[0];
}

/** Newest first. */
export function selectConsultations(
  runner: SqlRunner,
  projectId: string,
  role: ConsultationRow['role'],
  { after, limit }: { after?: Cursor; limit: number },
): Promise<ConsultationRow[]> {
  let query = runner.db
    .selectFrom('consultations')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('role', '=', role);
  if (after) {
    query = query.where((is) =>
      is.or([
        is('created_at', '<', after.at),
        is.and([is('created_at', '=', after.at), is('id', '<', after.id)]),
      ]),
    );
  }
  return runner.run(query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit));
}
