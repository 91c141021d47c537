import type { NewEvent, SqlRunner } from '../engine/store.ts';
import type { EventRow } from '../engine/tables.ts';
import type { LockedProject } from '../projects/project-sql.ts';

/** Numbers and stores the events of a transaction. The counter is on the locked project row, so there are no gaps. */
export async function appendEvents(
  runner: SqlRunner,
  project: LockedProject,
  events: NewEvent[],
): Promise<void> {
  const inserts = events.map((event, index) =>
    insertEvent(runner, project, project.lastEvent + index + 1, event),
  );
  await Promise.all([...inserts, updateLastEvent(runner, project, project.lastEvent + events.length)]);
}

async function updateLastEvent(runner: SqlRunner, project: LockedProject, number: number) {
  await runner.sql('update projects set last_event = ? where id = ?', number, project.id);
}

async function insertEvent(runner: SqlRunner, project: LockedProject, number: number, event: NewEvent) {
  await runner.sql(
    'insert into events (project_id, number, at, type, "by", data, run_id) values (?, ?, ?, ?, ?, ?, ?)',
    project.id,
    number,
    project.now,
    event.type,
    JSON.stringify(event.by),
    JSON.stringify(event.data),
    event.type === 'run.event' ? event.data.id : null,
  );
}

export function selectEvents(
  runner: SqlRunner,
  projectId: string,
  after: number,
  limit: number,
): Promise<EventRow[]> {
  return runner.sql<EventRow>(
    'select * from events where project_id = ? and number > ? order by number limit ?',
    projectId,
    after,
    limit,
  );
}

export function selectRunEvents(
  runner: SqlRunner,
  projectId: string,
  runId: string,
  page: { after: number; limit: number },
): Promise<EventRow[]> {
  return runner.sql<EventRow>(
    'select * from events where project_id = ? and run_id = ? and number > ? order by number limit ?',
    projectId,
    runId,
    page.after,
    page.limit,
  );
}
