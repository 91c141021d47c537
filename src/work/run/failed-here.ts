import { FAILED, hasFailed, isStoppedByEnvironment } from '../../schema/block-reason.ts';
import type { Task } from '../../schema/task.ts';

/** The block reason of a task whose work failed. */
export const failureReason = (message: string) => `${FAILED}${message}`.slice(0, 4000);

/** Whether a task is blocked because the work on it failed, and not because somebody blocked it. */
export const isFailedHere = (task: Pick<Task, 'status' | 'blockReason'>) =>
  isStoppedByEnvironment(task) || hasFailed(task);
