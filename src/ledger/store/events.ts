import type { LockedProject } from './projects.ts';
import type { NewEvent, SqlRunner } from './store.ts';
import type { EventRow } from './tables.ts';

/** Numbers and stores the events of a transaction; the counter is on the locked project row, so there are no gaps. */
export async function appendEvents(
  session: SqlRunner,
  project: LockedProject,
  events: NewEvent[],
): Promise<void> {
  const inserts = events.map((event, index) =>
    insertEvent(session, project, project.lastEvent + index + 1, event),
  );
  await Promise.all([...inserts, updateLastEvent(session, project, project.lastEvent + events.length)]);
}

async function updateLastEvent(session: SqlRunner, project: LockedProject, number: number) {
  await session.sql('update projects set last_event = ? where id = ?', number, project.id);
}

async function insertEvent(session: SqlRunner, project: LockedProject, number: number, event: NewEvent) {
  await session.sql(
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
  session: SqlRunner,
  projectId: string,
  after: number,
  limit: number,
): Promise<EventRow[]> {
  return session.sql<EventRow>(
    'select * from events where project_id = ? and number > ? order by number limit ?',
    projectId,
    after,
    limit,
  );
}

export function selectRunEvents(
  session: SqlRunner,
  projectId: string,
  runId: string,
  page: { after: number; limit: number },
): Promise<EventRow[]> {
  return session.sql<EventRow>(
    'select * from events where project_id = ? and run_id = ? and number > ? order by number limit ?',
    projectId,
    runId,
    page.after,
    page.limit,
  );
}
