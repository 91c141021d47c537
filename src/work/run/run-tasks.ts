import { isDeadHolder, type LeaseLoss, PROCESS_LEASE_SECONDS, processName } from '../../agents/run/lease.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { TaskScope } from '../../ledger/tasks/task-sql.ts';
import type { By } from '../../schema/actor.ts';
import type { Standing, Task } from '../../schema/task.ts';
import { type HeldStanding, type HeldTask, runLoop } from './task-loop.ts';
import { projectChanges, WakeSignal } from './wake-signal.ts';

export interface PlanTasksOptions {
  ledger: Ledger;
  projectId: string;
  by: By;
  /** The tasks that are worked through: how their ids begin, or the id of one. */
  within: TaskScope;
  /** How many tasks are worked on at once. */
  parallel: number;
  /** Asked when all that is left waits for a person: whether to stay. */
  stays(): boolean | Promise<boolean>;
  /** Carries a task as far as it goes: it is closed then, or blocked, or whatever it was left as is given back. */
  carry(held: HeldTask): Promise<void>;
  /** Told once when something around a task fails, and the task is tried again. */
  onFault?(task: Task, fault: string): void;
  /** How long to wait before each further try then, in milliseconds. */
  patience?: readonly number[];
  /** Told of a task that was ours, and is not any more. */
  onLost?(task: Task, why: LeaseLoss): void;
  signal: AbortSignal;
}

/**
 * Works through the tasks of a plan until there is nothing left to do here: all are closed, or what is left waits for a
 * person or for something that failed. Several processes may work through the same tasks.
 */
export async function runTasks(options: PlanTasksOptions): Promise<Standing> {
  const { ledger, projectId, by, within, signal } = options;
  const claim = { worker: processName(), leaseSeconds: PROCESS_LEASE_SECONDS };
  await runLoop({
    ...options,
    wake: new WakeSignal((ending) => projectChanges(ledger, projectId, ending), signal),
    source: {
      take: () => ledger.tasks.claimNext(projectId, claim, by, { within, isDead: isDeadHolder }),
      isOver: (held) => isOver(options, held),
    },
  });
  return ledger.tasks.standing(projectId, within);
}

async function isOver(
  { ledger, projectId, within, stays }: PlanTasksOptions,
  held: readonly HeldStanding[],
): Promise<boolean> {
  const standing = await ledger.tasks.standing(projectId, within);
  const atWork = held.filter(({ status }) => status === 'in_progress').length;
  // What else is in progress is another process's: it may finish, and something new is ready; or die.
  if (standing.in_progress > atWork) return false;
  // Became ready after we had looked.
  if ((await ledger.tasks.ready(projectId, 1, within)).length > 0) return false;
  return (held.length === 0 && standing.asking === 0) || !(await stays());
}
