import type { CreateInput } from '../../schema/notification.ts';
import type { SqlRunner, Tx } from '../engine/store.ts';
import type { NotificationRow } from '../engine/tables.ts';

/** Settled but not delivered yet. */
const UNDELIVERED: NotificationRow['status'][] = ['answered', 'skipped', 'declined', 'expired'];
const IS_UNDELIVERED = `status in (${UNDELIVERED.map((status) => `'${status}'`).join(', ')})`;

export async function selectOpenRequest(tx: Tx, requestKey: string): Promise<NotificationRow | undefined> {
  const rows = await tx.sql<NotificationRow>(
    "select * from open_questions where project_id = ? and request_key = ? and status = 'open'",
    tx.projectId,
    requestKey,
  );
  return rows[0];
}

/** What the same asker asked, settled but never delivered. */
export function selectUndelivered(
  runner: SqlRunner,
  projectId: string,
  source: NotificationRow['source'],
  sourceId: string,
) {
  return runner.run(
    runner.db
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

/** The newest undelivered one for exactly this request. */
export const selectUndeliveredRequest = (tx: Tx, asked: Request) => selectNewest(tx, asked, IS_UNDELIVERED);

/** The newest that is answered, delivered or not. Once the asker knows that a request was refused, it may repeat it. */
const selectAnswered = (tx: Tx, asked: Request) =>
  selectNewest(tx, asked, `(${IS_UNDELIVERED} or outcome = 'answered')`);

/**
 * The oldest answer to the same request that an earlier life of this agent had and this one has not been given. Expired
 * or withdrawn requests have no answer, and what was asked for another task is asked again.
 */
export async function selectReplay(
  tx: Tx,
  asked: Pick<NotificationRow, 'source' | 'source_id' | 'asked_key' | 'life' | 'run_id'>,
): Promise<NotificationRow | undefined> {
  const rows = await tx.sql<NotificationRow>(
    `select * from open_questions where project_id = ? and source = ? and source_id = ? and asked_key = ?
       and life is not null and life <> ? and outcome in ('answered', 'skipped', 'declined')
       and not exists (select 1 from runs mine, runs other
         where mine.id = ? and other.id = open_questions.run_id and mine.task_id <> other.task_id)
     order by created_at, id limit 1`,
    tx.projectId,
    asked.source,
    asked.source_id,
    asked.asked_key,
    asked.life,
    asked.run_id,
  );
  return rows[0];
}

/**
 * The task is done. Whoever asks for the same again is asked again, and so is who needs an approval; only the agents of a
 * phase or plain task that is reopened get the answers that its agents had.
 */
export async function forgetLivesOfTask(tx: Tx, taskId: string): Promise<void> {
  await forgetApprovals(tx, taskId);
  await tx.sql(
    `update open_questions set life = null where project_id = ? and life is not null and source <> 'execute'
       and run_id in (select id from runs where project_id = ? and task_id = ?)`,
    tx.projectId,
    tx.projectId,
    taskId,
  );
}

/** Its work is done, so an agent that works on it later needs new approvals. */
export async function forgetApprovals(tx: Tx, sourceId: string): Promise<void> {
  await tx.sql(
    `update open_questions set life = null where project_id = ? and source_id = ? and life is not null
       and source = 'approval'`,
    tx.projectId,
    sourceId,
  );
}

/** The client got these answers and ended cleanly, so nobody gets them again. */
export async function endLife(tx: Tx, sourceId: string, life: string): Promise<void> {
  await tx.sql(
    `update open_questions set life = null where project_id = ? and source in ('execute', 'approval')
       and source_id = ? and life = ? and status = 'delivered'`,
    tx.projectId,
    sourceId,
    life,
  );
}

/** What askers with this id prefix asked in lives that have not ended, newest first. */
export function selectLives(
  runner: SqlRunner,
  projectId: string,
  prefix: string,
): Promise<NotificationRow[]> {
  return runner.sql<NotificationRow>(
    `select * from open_questions where project_id = ? and source = 'execute' and source_id like ?
       and life is not null order by created_at desc, id desc limit 100`,
    projectId,
    `${prefix}%`,
  );
}

async function selectNewest(tx: Tx, asked: Request, condition: string): Promise<NotificationRow | undefined> {
  const rows = await tx.sql<NotificationRow>(
    `select * from open_questions where project_id = ? and source = ? and source_id = ? and request_key = ?
       and ${condition} order by created_at desc, id desc limit 1`,
    tx.projectId,
    asked.source,
    asked.source_id,
    asked.request_key,
  );
  return rows[0];
}

/** What one asker asked, oldest first. */
export function selectAsked(
  runner: SqlRunner,
  projectId: string,
  source: NotificationRow['source'],
  sourceId: string,
  limit?: number,
) {
  const query = runner.db
    .selectFrom('open_questions')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('source', '=', source)
    .where('source_id', '=', sourceId)
    .orderBy('created_at')
    .orderBy('id');
  return runner.run(limit === undefined ? query : query.limit(limit));
}

/**
 * What is already on record for a request, so that nobody is asked again: what an earlier life of this agent was
 * answered, what is open, or what was settled for this asker. With `again`, earlier answers do not count.
 */
export async function knownRequest(
  tx: Tx,
  asked: CreateInput,
  row: NotificationRow,
): Promise<NotificationRow | undefined> {
  const isReplayed = asked.life !== undefined && asked.key === undefined && !asked.gate && !asked.again;
  const earlier = isReplayed ? await selectReplay(tx, row) : undefined;
  return earlier ?? (await selectOpenRequest(tx, row.request_key)) ?? settledBefore(tx, asked, row);
}

/** A human gate and a question with a key have one answer, however often they are asked; others are reused only with `takeUp`. */
async function settledBefore(tx: Tx, asked: CreateInput, row: NotificationRow) {
  if (asked.again) return undefined;
  if (asked.gate || asked.key !== undefined) return selectAnswered(tx, row);
  return asked.takeUp ? selectUndeliveredRequest(tx, row) : undefined;
}
