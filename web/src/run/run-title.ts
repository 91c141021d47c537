import type { Run } from '../../../src/schema/run.ts';
import { tasksOf } from '../state/tasks.ts';

/** Its task, or its purpose. */
export function titleOfRun({ projectId, source, sourceId }: Run): string {
  const task = source === 'execute' ? tasksOf(projectId).find(({ id }) => id === sourceId) : undefined;
  return task?.title ?? sourceId;
}
