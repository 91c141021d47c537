import type { SqlRunner, Tx } from '../engine/store.ts';
import type { DecisionRow } from '../engine/tables.ts';
import type { Cursor } from '../events/cursor.ts';

export async function insertDecision(tx: Tx, row: DecisionRow): Promise<void> {
  await tx.sql(
    `insert into decisions (id, project_id, question_key, question, answer, note, source, source_id, notification_id, "by", at, standing, replaced_by)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.project_id,
    row.question_key,
    row.question,
    row.answer,
    row.note,
    row.source,
    row.source_id,
    row.notification_id,
    row.by,
    row.at,
    row.standing,
    row.replaced_by,
  );
}

/** The current decision on the same question. An earlier approval is never offered again. */
export async function selectDecisionFor(
  runner: SqlRunner,
  projectId: string,
  questionKey: string,
): Promise<DecisionRow | undefined> {
  const rows = await runner.sql<DecisionRow>(
    `select * from decisions where project_id = ? and question_key = ? and source not in ('gate', 'approval')
     and replaced_by is null order by at desc, id desc limit 1`,
    projectId,
    questionKey,
  );
  return rows[0];
}

/** Newest first; replaced decisions are included only with `history`. */
export function selectDecisions(
  runner: SqlRunner,
  projectId: string,
  { after, limit, history }: { after?: Cursor; limit: number; history: boolean },
): Promise<DecisionRow[]> {
  return runner.sql<DecisionRow>(
    `select * from decisions where project_id = ? ${after ? 'and (at, id) < (?, ?)' : ''}
     ${history ? '' : 'and replaced_by is null'} order by at desc, id desc limit ?`,
    projectId,
    ...(after ? [after.at, after.id] : []),
    limit,
  );
}

/** The decision remains a recommendation but no longer answers the question by itself. */
export async function endStanding(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.run(
    tx.db
      .updateTable('decisions')
      .set({ standing: 0 })
      .where('project_id', '=', tx.projectId)
      .where('id', '=', id)
      .where('standing', '=', 1)
      .returning('id'),
  );
  return rows.length === 1;
}

/** Marks the decision from the answer before its amendment as replaced: it is no longer current or standing. */
export async function replaceDecisions(
  tx: Tx,
  replacement: Pick<DecisionRow, 'id' | 'notification_id' | 'question_key'>,
): Promise<void> {
  await tx.sql(
    `update decisions set replaced_by = ?, standing = 0
     where project_id = ? and notification_id = ? and question_key = ? and id <> ? and replaced_by is null`,
    replacement.id,
    tx.projectId,
    replacement.notification_id,
    replacement.question_key,
    replacement.id,
  );
}
