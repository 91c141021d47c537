import type { Phase } from './plan.ts';

/** How many tasks of a phase's file are done; in a completed phase all of them, ticked or not. */
export function taskCounts({ file, status }: Pick<Phase, 'file' | 'status'>): {
  done: number;
  total: number;
} {
  const tasks = file?.tasks ?? [];
  const done = status === 'completed' ? tasks : tasks.filter((task) => task.done);
  return { done: done.length, total: tasks.length };
}
