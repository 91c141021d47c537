import type { Run } from '../../../src/schema/run.ts';
import { tasksOf } from '../state/tasks.ts';
import { oneLine } from '../text/words.ts';

/** Its task, or its purpose; for a person's own session, how it began. */
export function titleOfRun({ projectId, source, sourceId, data, cwd }: Run): string {
  if (data.for === 'session') return oneLine(data.prompt ?? `Session in ${cwd}`);
  const task = source === 'execute' ? tasksOf(projectId).find(({ id }) => id === sourceId) : undefined;
  return task?.title ?? sourceId;
}

/** The folder and the branch of a session. */
export function placeOf({ cwd, data }: Run): string {
  return data.for === 'session' && data.branch ? `${cwd} (${data.branch})` : cwd;
}
