import { FermataError } from '../../schema/error.ts';
import type { SqlRunner, Tx } from '../engine/store.ts';
import type { ProjectRow } from '../engine/tables.ts';

export interface LockedProject {
  id: string;
  lastEvent: number;
  now: number;
  /** When the last event happened; null if there is none. */
  lastAt: number | null;
}

/** Locks the project for this transaction, so that what it reads stays true until it commits. */
export async function lockProject(runner: SqlRunner, id: string): Promise<LockedProject> {
  const lastAt = '(select at from events where project_id = projects.id and number = last_event) as last_at';
  const rows = await runner.sql<{ last_event: number; now: number; last_at: number | null }>(
    runner.dialect === 'sqlite'
      ? `select last_event, cast(unixepoch('subsec') * 1000 as integer) as now, ${lastAt} from projects where id = ?`
      : `select last_event, (extract(epoch from clock_timestamp()) * 1000)::bigint as now, ${lastAt} from projects where id = ? for update`,
    id,
  );
  const [row] = rows;
  if (!row) throw unknownProject(id);
  return { id, lastEvent: row.last_event, now: row.now, lastAt: row.last_at };
}

export const unknownProject = (id: string) => new FermataError('not_found', `There is no project ${id}.`);

/** Adds the project, unless it is already known: then there is no row. */
export function insertProject(runner: SqlRunner, row: ProjectRow): Promise<ProjectRow[]> {
  return runner.run(
    runner.db
      .insertInto('projects')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll(),
  );
}

export function selectProject(runner: SqlRunner, id: string): Promise<ProjectRow[]> {
  return runner.run(runner.db.selectFrom('projects').selectAll().where('id', '=', id));
}

/** By name; all of them without a limit. */
export function selectProjects(
  runner: SqlRunner,
  { after, limit = Number.MAX_SAFE_INTEGER }: { after?: { name: string; id: string }; limit?: number } = {},
): Promise<ProjectRow[]> {
  return runner.sql<ProjectRow>(
    `select * from projects ${after ? 'where (name, id) > (?, ?)' : ''} order by name, id limit ?`,
    ...(after ? [after.name, after.id] : []),
    limit,
  );
}

export function selectLastEvents(runner: SqlRunner): Promise<Pick<ProjectRow, 'id' | 'last_event'>[]> {
  return runner.sql('select id, last_event from projects');
}

export function selectLastTimes(runner: SqlRunner): Promise<{ id: string; at: number }[]> {
  return runner.sql(
    'select projects.id, events.at from projects join events on events.project_id = projects.id and events.number = projects.last_event',
  );
}

export async function nextTaskNumber(tx: Tx): Promise<number> {
  const rows = await tx.sql<{ last_task: number }>(
    'update projects set last_task = last_task + 1 where id = ? returning last_task',
    tx.projectId,
  );
  return rows[0]?.last_task ?? 1;
}
