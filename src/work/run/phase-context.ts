import type { PhaseTask } from '../phases/phase-task.ts';
import type { PlanRun } from './plan-run.ts';
import type { TaskContext } from './task-context.ts';

/** A phase that we hold, with its worktree. */
export interface PhaseContext extends TaskContext {
  run: PlanRun;
  at: PhaseTask;
}
