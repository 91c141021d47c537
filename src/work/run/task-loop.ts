import { setTimeout as sleep } from 'node:timers/promises';
import { keepLease, type LeaseLoss, PROCESS_LEASE_SECONDS } from '../../agents/run/lease.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import { ENVIRONMENT } from '../../schema/block-reason.ts';
import { asDiskFull } from '../../schema/disk-full.ts';
import type { FermataError } from '../../schema/error.ts';
import { isAsking, type Task, type TaskStatus } from '../../schema/task.ts';
import { asOutage, environmentFault, failureReason, ignoreStale, isStale } from './faults.ts';
import { Pauses } from './pauses.ts';
import type { WakeSignal } from './wake-signal.ts';

/** A task that we hold until `signal` is aborted. */
export interface HeldTask {
  task: Task;
  signal: AbortSignal;
  /** Throws if we no longer hold it; otherwise renews it for a whole lease. Called before anything is changed. */
  confirm(): Promise<unknown>;
  /** Called when the work only waits for an answer, so that it does not occupy a slot. */
  onHold(waits: boolean): void;
}

/** A task that is held here, as in the ledger. */
export interface HeldStanding {
  status: TaskStatus;
  /** It only waits for an answer. */
  waits: boolean;
}

/** Where tasks come from: one plan, or everything available to a worker. */
export interface TaskSource {
  /** Claims the next one; undefined if there is none now. */
  take(): Promise<Task | undefined>;
  /** Whether nothing is left to wait for, given what is held here. */
  isOver(held: readonly HeldStanding[]): Promise<boolean>;
}

export interface LoopOptions {
  ledger: Ledger;
  by: By;
  /** How many tasks run at once. */
  parallel: number;
  source: TaskSource;
  /** Signals that there may be something to claim. */
  wake: WakeSignal;
  /** Executes a task as far as possible. Afterwards it is closed or blocked; otherwise it is released. */
  execute(held: HeldTask): Promise<void>;
  /** Called once if something around a task, or without one around the ledger, fails and is retried. */
  onFault?(fault: string, task?: Task): void;
  /** How long to wait before each such retry, in milliseconds. */
  patience?: readonly number[];
  /** Called once for a full disk or an unreachable model; then the loop pauses and continues. Without this, the loop ends. */
  onOutage?(outage: FermataError): void;
  /** How long to pause then, for each time in a row, in milliseconds. */
  pauses?: readonly number[];
  /** Called when we lose a task. */
  onLost?(task: Task, why: LeaseLoss): void;
  signal: AbortSignal;
}

/** How long a dead worker elsewhere may go unnoticed after its lease. */
const LOOK_AGAIN_MS = 2000;
/** Tasks that only wait for an answer do not occupy a slot, but we hold at most this many. */
const MAX_HELD = 200;
/** Grows long enough that an outage of hours costs little, but stays short enough that nobody waits long afterwards. */
const OUTAGE_PAUSES = [5000, 15_000, 60_000, 300_000];

interface ActiveTask {
  task: Task;
  waits: boolean;
  stop: AbortController;
  done: Promise<void>;
}

/** Claims one task after another until its source is over or the signal comes; by then all are released. */
export async function runLoop(options: LoopOptions): Promise<void> {
  const { source, wake, signal } = options;
  const active = new Set<ActiveTask>();
  const failure = new AbortController();
  const pauses = new Pauses(options.pauses ?? OUTAGE_PAUSES);
  const faults = new LedgerFaults(options);
  const isOver = async () => {
    await startTasks(options, active, failure, { pauses, faults });
    if (signal.aborted || failure.signal.aborted) return true;
    const held = await heldStandings(options, active);
    return held.every(({ waits }) => waits) && source.isOver(held);
  };
  try {
    for (;;) {
      const woken = wake.next(Math.min(pauses.left || LOOK_AGAIN_MS, LOOK_AGAIN_MS));
      if (await faults.outlast(isOver)) break;
      await woken;
    }
  } finally {
    for (const task of active) task.stop.abort();
    await Promise.all([...active].map((task) => task.done));
    await wake.stop();
  }
  failure.signal.throwIfAborted();
}

async function startTasks(
  options: LoopOptions,
  active: Set<ActiveTask>,
  failure: AbortController,
  { pauses, faults }: { pauses: Pauses; faults: LedgerFaults },
): Promise<void> {
  const { source, wake, parallel, signal, onOutage } = options;
  const pauseOrThrow = (error: unknown) => {
    const outage = asOutage(error);
    if (!outage || !onOutage) throw error;
    if (pauses.begin()) onOutage(outage);
  };
  const isBusy = async () =>
    active.size >= MAX_HELD ||
    (await heldStandings(options, active)).filter(({ waits }) => !waits).length >= parallel;
  while (!signal.aborted && pauses.left === 0 && !(await isBusy())) {
    const task = await source.take().catch(pauseOrThrow);
    if (!task) return;
    const started: ActiveTask = { task, waits: false, stop: new AbortController(), done: Promise.resolve() };
    const onHold = (waits: boolean) => {
      started.waits = waits;
      wake.ring();
    };
    started.done = executeHeld(options, task, started.stop.signal, onHold)
      .then(() => pauses.succeeded(), pauseOrThrow)
      .catch((error: unknown) => faults.tell(error))
      .catch((error: unknown) => failure.abort(error))
      .finally(() => {
        active.delete(started);
        wake.ring();
      });
    active.add(started);
  }
}

/** Somebody may lock the ledger, or the system refuse it something, for a while; a newer schema does not pass. */
class LedgerFaults {
  readonly #options: Pick<LoopOptions, 'onFault'>;
  #isTold = false;

  constructor(options: Pick<LoopOptions, 'onFault'>) {
    this.#options = options;
  }

  /** Undefined if it failed and may be tried again. */
  async outlast<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      this.#isTold = false;
      return result;
    } catch (error) {
      this.tell(error);
      return undefined;
    }
  }

  /** Throws an error that does not pass. */
  tell(error: unknown): void {
    const fault = environmentFault(error);
    if (fault === undefined) throw error;
    if (!this.#isTold) this.#options.onFault?.(fault);
    this.#isTold = true;
  }
}

/**
 * A failure of one task stops only that task. If it cannot be stored, because the ledger is out of reach, the task's lease
 * ends by itself. An outage ends the loop or pauses it, because the next task would hit it too.
 */
async function executeHeld(
  options: LoopOptions,
  task: Task,
  stop: AbortSignal,
  onHold: (waits: boolean) => void,
): Promise<void> {
  const { tasks } = options.ledger;
  const { by } = options;
  const { projectId, id, fence } = task;
  const confirm = () => tasks.heartbeat(projectId, id, fence, PROCESS_LEASE_SECONDS, by);
  const lease = keepLease(confirm);
  lease.lost.addEventListener('abort', () => void reportLost(options, task, lease.lost.reason));
  stop.addEventListener('abort', () => {
    if (stop.reason === 'taken') void reportLost(options, task, 'taken');
  });
  const signal = AbortSignal.any([options.signal, lease.lost, stop]);
  try {
    await executeWithRetries(options, { task, signal, confirm, onHold });
  } catch (error) {
    if (signal.aborted) return;
    if (isStale(error)) return reportLost(options, task, 'taken');
    const outage = asOutage(error);
    if (outage) throw outage;
    const fault = environmentFault(error);
    const reason =
      fault === undefined ? failureReason((error as Error).message) : `${ENVIRONMENT}${fault}`.slice(0, 4000);
    await ignoreStale(tasks.block(projectId, id, reason, by, fence));
  } finally {
    lease.stop();
    await ignoreStale(tasks.release(projectId, id, fence, by));
  }
}

/** How long to wait before each retry if something around the work fails. */
const FAULT_PATIENCE = [1000, 4000, 15_000];

/** Retries what the environment stopped. Reports a full disk at once, because a person has to free space. */
async function executeWithRetries(options: LoopOptions, held: HeldTask): Promise<void> {
  const { patience = FAULT_PATIENCE } = options;
  for (let tries = 0; ; tries += 1) {
    try {
      return await options.execute(held);
    } catch (error) {
      const fault = environmentFault(error);
      const wait = patience[tries];
      if (fault === undefined || asDiskFull(error) || wait === undefined || held.signal.aborted) throw error;
      if (tries === 0) options.onFault?.(fault, held.task);
      await sleep(wait, undefined, { signal: held.signal }).catch(() => undefined);
    }
  }
}

/** A claim also ends when the task is closed, by us or by whoever decided about it; then nothing was lost. */
async function reportLost({ ledger, onLost }: LoopOptions, task: Task, why: LeaseLoss): Promise<void> {
  if (why === 'silent') return onLost?.(task, why);
  const now = await ledger.tasks.find(task.projectId, task.id).catch(() => undefined); // other calls to the ledger report the reason
  if (now?.status !== 'closed') onLost?.(task, why);
}

/**
 * An agent that asks through its own command is waiting too, although its process appears to be running. Work on a task that
 * a person took away from us ends at once, and not only with the next heartbeat.
 */
function heldStandings({ ledger }: LoopOptions, active: Set<ActiveTask>): Promise<HeldStanding[]> {
  return Promise.all(
    [...active].map(async ({ task: { projectId, id, fence }, waits, stop }) => {
      const task = await ledger.tasks.get(projectId, id);
      const isReleased = task.status !== 'in_progress' && task.leaseUntil === null;
      if (isReleased && task.fence === fence) stop.abort('taken');
      return { status: task.status, waits: waits || isAsking(task) };
    }),
  );
}
