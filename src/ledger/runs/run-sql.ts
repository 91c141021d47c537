import type { SqlRunner, Tx } from '../engine/store.ts';
import type { Cursor } from '../engine/stored.ts';
import type { NotificationRow, RunRow } from '../engine/tables.ts';
import type { RunState } from './run-machine.ts';

export async function insertRun(tx: Tx, row: RunRow): Promise<void> {
  await tx.run(tx.db.insertInto('runs').values(row));
}

/** By its primary key alone; see `selectNotification`. */
export async function selectRun(
  runner: SqlRunner,
  projectId: string,
  id: string,
): Promise<RunRow | undefined> {
  const [row] = await runner.sql<RunRow>('select * from runs where id = ?', id);
  return row?.project_id === projectId ? row : undefined;
}

/** Newest first. */
export function selectRuns(
  runner: SqlRunner,
  projectId: string,
  { after, limit }: { after?: Cursor; limit: number },
): Promise<RunRow[]> {
  let query = runner.db.selectFrom('runs').selectAll().where('project_id', '=', projectId);
  if (after) {
    query = query.where((is) =>
      is.or([
        is('started_at', '<', after.at),
        is.and([is('started_at', '=', after.at), is('id', '<', after.id)]),
      ]),
    );
  }
  return runner.run(query.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit));
}

/** The runs for one asker, newest first. */
export function selectRunsOf(
  runner: SqlRunner,
  projectId: string,
  source: RunRow['source'],
  sourceId: string,
): Promise<RunRow[]> {
  return runner.run(
    runner.db
      .selectFrom('runs')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('source', '=', source)
      .where('source_id', '=', sourceId)
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc'),
  );
}

/** Newest first. */
export function selectRunsOfTask(runner: SqlRunner, projectId: string, taskId: string): Promise<RunRow[]> {
  return runner.sql<RunRow>(
    'select * from runs where project_id = ? and task_id = ? order by started_at desc, id desc',
    projectId,
    taskId,
  );
}

/** Runs that have not ended, oldest first. `ended` is written out to match the partial index. */
export function selectUnfinishedRuns(runner: SqlRunner, projectId: string): Promise<RunRow[]> {
  return runner.sql<RunRow>(
    "select * from runs where project_id = ? and status <> 'ended' order by started_at, id",
    projectId,
  );
}

/** Writes a run's new state over the state that was read; undefined if somebody else wrote first. */
export async function updateRun(
  tx: Tx,
  before: RunState,
  after: RunState,
  end: string | null,
): Promise<RunRow | undefined> {
  const [row] = await tx.sql<RunRow>(
    `update runs set status = ?, holder = ?, lease_until = ?, fence = ?, "end" = ?, ended_at = ?
     where id = ? and fence = ? and status = ? returning *`,
    after.status,
    after.holder,
    after.leaseUntil,
    after.fence,
    end,
    after.status === 'ended' ? tx.now : null,
    after.id,
    before.fence,
    before.status,
  );
  return row;
}

/** Written once: the first id that the agent names is the one to resume. */
export async function updateSession(tx: Tx, id: string, sessionId: string): Promise<boolean> {
  const changed = await tx.changes(
    'update runs set session_id = ? where id = ? and session_id is null',
    sessionId,
    id,
  );
  return changed === 1;
}

export async function clearSession(tx: Tx, id: string): Promise<void> {
  await tx.sql('update runs set session_id = null where id = ?', id);
}

/** Its session stays where it was. */
export async function moveRun(tx: Tx, id: string, cwd: string, data: string): Promise<RunRow | undefined> {
  const sql = 'update runs set session_id = null, cwd = ?, data = ? where id = ? returning *';
  const [row] = await tx.sql<RunRow>(sql, cwd, data, id);
  return row;
}

export async function updateData(tx: Tx, id: string, data: string): Promise<void> {
  await tx.sql('update runs set data = ? where id = ?', data, id);
}

/** What a run asked, in order. */
export function selectRunQuestions(
  runner: SqlRunner,
  projectId: string,
  runId: string,
  limit?: number,
): Promise<NotificationRow[]> {
  const query = runner.db
    .selectFrom('open_questions')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('run_id', '=', runId)
    .orderBy('created_at')
    .orderBy('id');
  return runner.run(limit === undefined ? query : query.limit(limit));
}
