import type { Run } from '../../../src/schema/run.ts';
import { tasksOf } from '../state/tasks.ts';

/** The task that it works on, else what it was started for. */
export function titleOfRun({ projectId, source, sourceId }: Run): string {
  const task = source === 'execute' ? tasksOf(projectId).find(({ id }) => id === sourceId) : undefined;
  return task?.title ?? sourceId;
}
