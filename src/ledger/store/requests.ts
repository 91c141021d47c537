import type { Session, Tx } from './store.ts';
import type { NotificationRow } from './tables.ts';

/** Settled, and not with the asker yet. */
const UNDELIVERED = ['answered', 'skipped', 'declined', 'expired'];
const IS_UNDELIVERED = `status in (${UNDELIVERED.map((status) => `'${status}'`).join(', ')})`;

export async function selectOpenRequest(tx: Tx, requestKey: string): Promise<NotificationRow | undefined> {
  const rows = await tx.sql<NotificationRow>(
    "select * from open_questions where project_id = ? and request_key = ? and status = 'open'",
    tx.projectId,
    requestKey,
  );
  return rows[0];
}

/** What the same asker asked, settled but never delivered to it. */
export function selectUndelivered(session: Session, projectId: string, source: string, sourceId: string) {
  return session.run(
    session.db
      .selectFrom('open_questions')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('source', '=', source)
      .where('source_id', '=', sourceId)
      .where('status', 'in', UNDELIVERED)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(100),
  );
}

type Request = Pick<NotificationRow, 'source' | 'source_id' | 'request_key'>;

/** The newest of those that asked exactly this. */
export const selectUndeliveredRequest = (tx: Tx, asked: Request) => selectNewest(tx, asked, IS_UNDELIVERED);

/** A human gate that was asked before: it is answered once, and stays so. One that was refused may be asked anew. */
export const selectGate = (tx: Tx, asked: Request) =>
  selectNewest(tx, asked, `(${IS_UNDELIVERED} or outcome = 'answered')`);

async function selectNewest(tx: Tx, asked: Request, condition: string): Promise<NotificationRow | undefined> {
  const rows = await tx.sql<NotificationRow>(
    `select * from open_questions where project_id = ? and source = ? and source_id = ? and request_key = ?
       and ${condition} order by created_at desc, id limit 1`,
    tx.projectId,
    asked.source,
    asked.source_id,
    asked.request_key,
  );
  return rows[0];
}

/** What one asker asked, oldest first. */
export function selectAsked(
  session: Session,
  projectId: string,
  source: string,
  sourceId: string,
  limit?: number,
) {
  const query = session.db
    .selectFrom('open_questions')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('source', '=', source)
    .where('source_id', '=', sourceId)
    .orderBy('created_at')
    .orderBy('id');
  return session.run(limit === undefined ? query : query.limit(limit));
}
