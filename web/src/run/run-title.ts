import { useEffect } from 'preact/hooks';
import type { Run } from '../../../src/schema/run.ts';
import { tasksByProject, watchTasks } from '../state/tasks.ts';

/** Keeps the tasks of a project at hand, of which runs have their titles. */
export function useTasks(projectId: string | undefined): void {
  useEffect(() => {
    if (projectId !== undefined) void watchTasks([projectId]);
  }, [projectId]);
}

/** The task that it works on, else what it was started for. */
export function titleOfRun({ projectId, source, sourceId }: Run): string {
  const task =
    source === 'execute' ? tasksByProject.value[projectId]?.find(({ id }) => id === sourceId) : undefined;
  return task?.title ?? sourceId;
}
