import type { SqlRunner, Store } from '../engine/store.ts';
import { selectLastEvents } from '../projects/project-sql.ts';
import type { CareOptions } from './progress.ts';

/** What was or would be removed, and what stays although it is older. */
export interface Pruned {
  events: number;
  notifications: number;
  runs: number;
  notices: number;
  stay: {
    /** Open questions, and answers that were not delivered yet. */
    notifications: number;
    /** Tasks that are not closed. */
    tasks: number;
    /** Events that a sink of notices has not read, or that belong to a run that has not ended. */
    events: number;
  };
}

/** Rows removed in one transaction, so that others need not wait long. */
const BATCH = 2000;

/**
 * Removes what was settled before a time: events, delivered notifications, ended runs and failed notices. Decisions, tasks,
 * and answers that are given again to whoever asks again stay.
 */
export async function prune(
  store: Store,
  before: number,
  { dryRun = false, signal, onProgress }: CareOptions & { dryRun?: boolean } = {},
): Promise<Pruned> {
  const plan = await store.snapshot((snapshot) => planFor(snapshot, before));
  if (dryRun) return plan.pruned;
  const { events, notifications, runs, notices } = plan.pruned;
  const total = events + notifications + runs + notices;
  let done = 0;
  const removed = (count: number) => {
    done += count;
    onProgress?.(done, total);
  };
  for (const { projectId, first, end } of plan.events) {
    for (let from = first; from < end; from += BATCH) {
      signal?.throwIfAborted();
      const to = Math.min(from + BATCH, end);
      removed(await store.write(projectId, (tx) => deleteEvents(tx, projectId, to)));
    }
  }
  for (const remove of [deleteNotifications, deleteRuns, deleteNotices]) {
    for (let count = BATCH; count === BATCH; removed(count)) {
      signal?.throwIfAborted();
      count = await store.write(null, (tx) => remove(tx, before));
    }
  }
  return plan.pruned;
}

interface Plan {
  pruned: Pruned;
  /** In each project, the events from `first` to before `end`. */
  events: { projectId: string; first: number; end: number }[];
}

async function planFor(runner: SqlRunner, before: number): Promise<Plan> {
  const events: Plan['events'] = [];
  let staying = 0;
  for (const { id: projectId, last_event } of await selectLastEvents(runner)) {
    const first = (await firstEvent(runner, 'project_id = ?', projectId)) ?? 1;
    // The newest one always stays, so that a reader can tell a cursor that is too old from one that is up to date.
    const newer = (await firstEvent(runner, 'project_id = ? and at >= ?', projectId, before)) ?? last_event;
    const end = Math.min(newer, await firstNeeded(runner, projectId));
    if (end > first) events.push({ projectId, first, end });
    staying += newer - Math.max(first, Math.min(end, newer));
  }
  const count = async (from: string, ...values: unknown[]) => {
    const [row] = await runner.sql<{ count: number }>(`select count(*) as count from ${from}`, ...values);
    return row?.count ?? 0;
  };
  return {
    events,
    pruned: {
      events: events.reduce((sum, { first, end }) => sum + end - first, 0),
      notifications: await count(`open_questions where ${SETTLED}`, before),
      runs: await count(`runs where ${ENDED}`, before),
      notices: await count(`notices where ${GIVEN_UP}`, before),
      stay: {
        notifications: await count(
          "open_questions where status not in ('delivered', 'recorded') and created_at < ?",
          before,
        ),
        tasks: await count("tasks where status <> 'closed' and created_at < ?", before),
        events: staying,
      },
    },
  };
}

async function firstEvent(
  runner: SqlRunner,
  where: string,
  ...values: unknown[]
): Promise<number | undefined> {
  const [row] = await runner.sql<{ number: number }>(
    `select number from events where ${where} order by number limit 1`,
    ...values,
  );
  return row?.number;
}

/** The first event that somebody still has to read. */
async function firstNeeded(runner: SqlRunner, projectId: string): Promise<number> {
  const [row] = await runner.sql<{ unread: number | null; unfinished: number | null }>(
    `select (select min(number) + 1 from notice_cursors where project_id = ?) as unread,
       (select min(number) from events where project_id = ? and run_id in (
         select id from runs where project_id = ? and status <> 'ended')) as unfinished`,
    projectId,
    projectId,
    projectId,
  );
  return Math.min(row?.unread ?? Number.POSITIVE_INFINITY, row?.unfinished ?? Number.POSITIVE_INFINITY);
}

const isTaskClosed = (table: string) => `(${table}.task_id is null or not exists (select 1 from tasks t
  where t.project_id = ${table}.project_id and t.id = ${table}.task_id and t.status <> 'closed'))`;

/** Nobody waits for it, and nobody gets its answer again. */
const SETTLED = `status in ('delivered', 'recorded') and coalesce(delivered_at, created_at) < ? and lasting = 0
  and life is null and ${isTaskClosed('open_questions')}
  and not exists (select 1 from runs r where r.id = open_questions.run_id and r.status <> 'ended')`;
const ENDED = `status = 'ended' and ended_at < ? and ${isTaskClosed('runs')}`;
const GIVEN_UP = 'due_at is null and created_at < ?';

const deleteEvents = (runner: SqlRunner, projectId: string, end: number) =>
  runner.changes('delete from events where project_id = ? and number < ?', projectId, end);

const deleteNotifications = (runner: SqlRunner, before: number) =>
  deleteBatch(runner, 'open_questions', 'id', SETTLED, before);
const deleteRuns = (runner: SqlRunner, before: number) => deleteBatch(runner, 'runs', 'id', ENDED, before);
const deleteNotices = (runner: SqlRunner, before: number) =>
  deleteBatch(runner, 'notices', 'key', GIVEN_UP, before);

const deleteBatch = (runner: SqlRunner, table: string, key: string, where: string, before: number) =>
  runner.changes(
    `delete from ${table} where ${key} in (select ${key} from ${table} where ${where} limit ${BATCH})`,
    before,
  );
