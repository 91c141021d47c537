import type { PhaseTask } from '../phases/phase-task.ts';
import type { PlanRun } from './plan-run.ts';
import type { TaskContext } from './task-context.ts';

/** A phase that is ours, with the worktree in which it is worked on. */
export interface PhaseContext extends TaskContext {
  run: PlanRun;
  at: PhaseTask;
}
