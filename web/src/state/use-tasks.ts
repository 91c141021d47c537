import { useEffect } from 'preact/hooks';
import { type TaskList, taskList, watchTasks } from './tasks.ts';
import type { Loaded } from './use-live.ts';

/** The tasks of a project, kept up to date. */
export function useTasks(projectId: string | undefined): Loaded<TaskList> {
  useEffect(() => {
    if (projectId !== undefined) void watchTasks([projectId]);
  }, [projectId]);
  return taskList(projectId);
}
