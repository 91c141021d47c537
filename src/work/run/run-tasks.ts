import {
  isDeadHolder,
  keepLease,
  type LeaseLoss,
  PROCESS_LEASE_SECONDS,
  processName,
} from '../../agents/run/lease.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import { asDiskFull } from '../../schema/disk-full.ts';
import { FermataError } from '../../schema/error.ts';
import { isAsking, type Standing, type Task } from '../../schema/task.ts';
import { WakeSignal } from './wake-signal.ts';

/** A task that is ours until `signal` says otherwise. */
export interface HeldTask {
  task: Task;
  signal: AbortSignal;
  /** Throws where it is not ours any more; else it is for a whole lease from now. Asked before anything is changed. */
  confirm(): Promise<unknown>;
  /** Whoever carries it tells when it only waits for an answer: then it takes nobody's place. */
  onHold(waits: boolean): void;
}

export interface WorkerOptions {
  ledger: Ledger;
  projectId: string;
  by: By;
  /** How the ids of the tasks begin that are worked through. */
  within: string;
  /** How many tasks are worked on at once. */
  parallel: number;
  /** Asked when all that is left waits for a person: whether to stay. */
  stays(): boolean | Promise<boolean>;
  /** Carries a task as far as it goes: it is closed then, or blocked, or whatever it was left as is given back. */
  carry(held: HeldTask): Promise<void>;
  /** Told of a task that was ours, and is not any more. */
  onLost?(taskId: string, why: LeaseLoss): void;
  signal: AbortSignal;
}

/** How long a worker elsewhere that died may go unnoticed on top of its lease. */
const LOOK_AGAIN_MS = 2000;

/** One task at work. */
interface ActiveTask {
  taskId: string;
  waits: boolean;
  stop: AbortController;
  done: Promise<void>;
}

/**
 * Takes one ready task after the other until there is nothing left to do here: all are closed, or what is left waits for
 * a person or for something that failed. Several processes may work through the same tasks.
 */
export async function runTasks(options: WorkerOptions): Promise<Standing> {
  const { ledger, projectId, within, signal } = options;
  const wake = new WakeSignal(ledger, projectId, signal);
  const active = new Set<ActiveTask>();
  const failure = new AbortController();
  try {
    for (;;) {
      const woken = wake.next(LOOK_AGAIN_MS);
      await takeUp(options, active, wake, failure);
      failure.signal.throwIfAborted();
      if (await isOver(options, active)) break;
      await woken;
    }
  } finally {
    for (const task of active) task.stop.abort();
    await Promise.all([...active].map((task) => task.done));
    await wake.stop();
  }
  failure.signal.throwIfAborted();
  return ledger.tasks.standing(projectId, within);
}

async function takeUp(
  options: WorkerOptions,
  active: Set<ActiveTask>,
  wake: WakeSignal,
  failure: AbortController,
): Promise<void> {
  const { ledger, projectId, by, within, parallel, signal } = options;
  const claim = { worker: processName(), leaseSeconds: PROCESS_LEASE_SECONDS };
  const isBusy = async () =>
    (await asTheyStand(options, active)).filter(({ waits }) => !waits).length >= parallel;
  while (!signal.aborted && !(await isBusy())) {
    const task = await ledger.tasks.claimNext(projectId, claim, by, { within, isDead: isDeadHolder });
    if (!task) return;
    const started: ActiveTask = {
      taskId: task.id,
      waits: false,
      stop: new AbortController(),
      done: Promise.resolve(),
    };
    const onHold = (waits: boolean) => {
      started.waits = waits;
      wake.ring();
    };
    started.done = carry(options, task, started.stop.signal, onHold)
      .catch((error: unknown) => failure.abort(error))
      .finally(() => {
        active.delete(started);
        wake.ring();
      });
    active.add(started);
  }
}

/**
 * What goes wrong with one task stops that one only. What cannot even be told stops everything; so do a full disk and a
 * model that is away, with which the next task would fail as well.
 */
async function carry(
  options: WorkerOptions,
  task: Task,
  stop: AbortSignal,
  onHold: (waits: boolean) => void,
): Promise<void> {
  const { tasks } = options.ledger;
  const { projectId, by } = options;
  const confirm = () => tasks.heartbeat(projectId, task.id, task.fence, PROCESS_LEASE_SECONDS, by);
  const lease = keepLease(confirm);
  lease.lost.addEventListener('abort', () => void tellLost(options, task, lease.lost.reason));
  const signal = AbortSignal.any([options.signal, lease.lost, stop]);
  try {
    await options.carry({ task, signal, confirm, onHold });
  } catch (error) {
    if (signal.aborted) return;
    if (isStale(error)) return tellLost(options, task, 'taken');
    const full = asDiskFull(error);
    if (full) throw full;
    if (error instanceof FermataError && error.code === 'no_agent') throw error;
    const reason = `Failed: ${(error as Error).message}`.slice(0, 4000);
    await unlessStale(tasks.block(projectId, task.id, reason, by, task.fence));
  } finally {
    lease.stop();
    await unlessStale(tasks.release(projectId, task.id, task.fence, by));
  }
}

/** A claim also ends when the task is closed, by us or by who decided about it: then nothing was lost. */
async function tellLost(
  { ledger, projectId, onLost }: WorkerOptions,
  { id }: Task,
  why: LeaseLoss,
): Promise<void> {
  if (why === 'silent') return onLost?.(id, why);
  const now = await ledger.tasks.find(projectId, id).catch(() => undefined); // who works with the ledger tells why
  if (now?.status !== 'closed') onLost?.(id, why);
}

async function isOver(options: WorkerOptions, active: Set<ActiveTask>): Promise<boolean> {
  const { ledger, projectId, within, signal } = options;
  if (signal.aborted) return true;
  const ours = await asTheyStand(options, active);
  if (ours.some(({ waits }) => !waits)) return false;
  const standing = await ledger.tasks.standing(projectId, within);
  const atWork = ours.filter(({ status }) => status === 'in_progress').length;
  // What else is in progress is another process's: it may finish, and something new is ready; or die.
  if (standing.in_progress > atWork) return false;
  // Became ready after we had looked.
  if ((await ledger.tasks.ready(projectId, 1, within)).length > 0) return false;
  return (active.size === 0 && standing.asking === 0) || !(await options.stays());
}

/** An agent that asks by a command of its own waits as well, though its process is only seen to run. */
function asTheyStand({ ledger, projectId }: WorkerOptions, active: Set<ActiveTask>) {
  return Promise.all(
    [...active].map(async ({ taskId, waits }) => {
      const task = await ledger.tasks.get(projectId, taskId);
      return { status: task.status, waits: waits || isAsking(task) };
    }),
  );
}

const isStale = (error: unknown) => error instanceof FermataError && error.code === 'stale';

/** Somebody else has it by now, or it was closed: then there is nothing to give back. */
async function unlessStale(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!isStale(error)) throw error;
  }
}
