import { hostname } from 'node:os';
import { isDeadHolder, type LeaseLoss, PROCESS_LEASE_SECONDS, processName } from '../../agents/run/lease.ts';
import { newId } from '../../ledger/ids.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { TaskScope } from '../../ledger/tasks/task-sql.ts';
import { SEEN_MS } from '../../ledger/tasks/worker-register.ts';
import type { By } from '../../schema/actor.ts';
import type { Standing, Task } from '../../schema/task.ts';
import { type HeldStanding, type HeldTask, runLoop } from './task-loop.ts';
import { projectChanges, WakeSignal } from './wake-signal.ts';

export interface PlanTasksOptions {
  ledger: Ledger;
  projectId: string;
  by: By;
  /** The tasks to run: the prefix of their ids, or the id of one. */
  within: TaskScope;
  /** Where its agents' sessions are stored; other processes leave it the tasks whose session is there. */
  home?: string;
  /** How many tasks run at once. */
  parallel: number;
  /** Called when everything left waits for a person: whether to keep waiting. */
  stays(): boolean | Promise<boolean>;
  /** Executes a task as far as possible. Afterwards it is closed or blocked; otherwise it is released. */
  execute(held: HeldTask): Promise<void>;
  /** Called once if something around a task, or without one around the ledger, fails and is retried. */
  onFault?(fault: string, task?: Task): void;
  /** How long to wait before each such retry, in milliseconds. */
  patience?: readonly number[];
  /** Called when we lose a task. */
  onLost?(task: Task, why: LeaseLoss): void;
  signal: AbortSignal;
}

/**
 * Runs the tasks of a plan until nothing is left to do here: all are closed, or the rest waits for a person or for
 * something that failed. Several processes may run the same tasks.
 */
export async function runTasks(options: PlanTasksOptions): Promise<Standing> {
  const { ledger, projectId, by, within, home, signal } = options;
  const claim = { worker: processName(), leaseSeconds: PROCESS_LEASE_SECONDS };
  const next = () => ledger.tasks.claimNext(projectId, claim, by, { within, home, isDead: isDeadHolder });
  const presence = await announce(options);
  try {
    await runLoop({
      ...options,
      wake: new WakeSignal((ending) => projectChanges(ledger, projectId, ending), signal),
      source: {
        take: async () =>
          (await next()) ?? ((await ledger.workers.forgetDead(isDeadHolder)) ? next() : undefined),
        isOver: (held) => isOver(options, held),
      },
    });
  } finally {
    await presence.stop();
  }
  return ledger.tasks.standing(projectId, within);
}

/** Reports that this run is alive, until it is stopped. */
async function announce({
  ledger,
  projectId,
  by,
  within,
  parallel,
  home,
}: PlanTasksOptions): Promise<{ stop(): Promise<void> }> {
  if (home === undefined) return { stop: async () => undefined };
  const prefix = typeof within === 'string' ? within : within.id;
  const self = {
    id: `${newId('run')}@${processName()}`,
    ...{ home, name: by.actor.name, host: hostname(), abilities: [], slots: parallel, version: '' },
    ...{ projects: [projectId], within: prefix },
  };
  await ledger.workers.seen(self);
  let telling: Promise<void> | undefined;
  const tell = async () => {
    // If the store is unavailable, the tasks' leases report it.
    telling ??= ledger.workers.seen(self).catch(() => undefined);
    await telling;
    telling = undefined;
  };
  const timer = setInterval(() => void tell(), SEEN_MS);
  return {
    async stop() {
      clearInterval(timer);
      await telling; // otherwise it could report us as alive after we are gone
      await ledger.workers.gone(self.id).catch(() => undefined);
    },
  };
}

async function isOver(
  { ledger, projectId, within, stays }: PlanTasksOptions,
  held: readonly HeldStanding[],
): Promise<boolean> {
  const standing = await ledger.tasks.standing(projectId, within);
  const atWork = held.filter(({ status }) => status === 'in_progress').length;
  // Other tasks in progress belong to another process, which may finish and make something ready, or die.
  if (standing.in_progress > atWork) return false;
  // A task became ready after we had looked.
  if ((await ledger.tasks.ready(projectId, 1, within)).length > 0) return false;
  return (held.length === 0 && standing.asking === 0) || !(await stays());
}
