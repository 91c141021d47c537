import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import type { HeldTask } from './task-loop.ts';
import type { WorkItem } from './work-item.ts';
import type { WorkRun } from './work-run.ts';

/** A task that we hold, with its worktree. */
export interface TaskContext {
  run: WorkRun;
  held: HeldTask;
  item: WorkItem;
  worktree: OpenWorktree;
}
