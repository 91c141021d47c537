import { setTimeout as sleep } from 'node:timers/promises';
import { keepLease, type LeaseLoss, PROCESS_LEASE_SECONDS } from '../../agents/run/lease.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { By } from '../../schema/actor.ts';
import { ENVIRONMENT } from '../../schema/block-reason.ts';
import { asDiskFull } from '../../schema/disk-full.ts';
import { FermataError } from '../../schema/error.ts';
import { isAsking, type Task, type TaskStatus } from '../../schema/task.ts';
import { environmentFault } from './environment-fault.ts';
import { failureReason } from './failed-here.ts';
import { asOutage } from './outage.ts';
import { Pauses } from './pauses.ts';
import type { WakeSignal } from './wake-signal.ts';

/** A task that is ours until `signal` says otherwise. */
export interface HeldTask {
  task: Task;
  signal: AbortSignal;
  /** Throws where it is not ours any more; else it is for a whole lease from now. Asked before anything is changed. */
  confirm(): Promise<unknown>;
  /** Whoever carries it tells when it only waits for an answer: then it takes nobody's place. */
  onHold(waits: boolean): void;
  /** Where the sessions of its agents live, if they may be taken up on another machine. */
  home?: string;
}

/** A task that is held here, as the ledger has it. */
export interface HeldStanding {
  status: TaskStatus;
  /** It only waits for an answer. */
  waits: boolean;
}

/** Where tasks come from: those of one plan, or whatever there is for a worker. */
export interface TaskSource {
  /** Takes the next one; undefined if there is none now. */
  take(): Promise<Task | undefined>;
  /** Whether nothing is left to wait for, with what is held here. */
  isOver(held: readonly HeldStanding[]): Promise<boolean>;
}

export interface LoopOptions {
  ledger: Ledger;
  by: By;
  /** How many tasks are worked on at once. */
  parallel: number;
  source: TaskSource;
  /** Rings when there may be something to take. */
  wake: WakeSignal;
  /** Where the sessions of agents live that are started here; undefined where all runs are on one machine. */
  home?: string;
  /** Carries a task as far as it goes: it is closed then, or blocked, or whatever it was left as is given back. */
  carry(held: HeldTask): Promise<void>;
  /** Told once when something around a task fails, and the task is tried again. */
  onFault?(task: Task, fault: string): void;
  /** How long to wait before each further try then, in milliseconds. */
  patience?: readonly number[];
  /** Told once of a full disk or a model that is away: then the loop pauses and goes on. Without this, that is its end. */
  onOutage?(outage: FermataError): void;
  /** How long to pause then, each time in a row, in milliseconds. */
  pauses?: readonly number[];
  /** Told of a task that was ours, and is not any more. */
  onLost?(task: Task, why: LeaseLoss): void;
  signal: AbortSignal;
}

/** How long a worker elsewhere that died may go unnoticed on top of its lease. */
const LOOK_AGAIN_MS = 2000;
/** Those that only wait for an answer take nobody's place, but no more are held than this. */
const MOST_HELD = 200;
/** Long enough at last that an outage of hours costs little, short enough that nobody waits long after it. */
const OUTAGE_PAUSES = [5000, 15_000, 60_000, 300_000];

/** One task at work. */
interface ActiveTask {
  task: Task;
  waits: boolean;
  stop: AbortController;
  done: Promise<void>;
}

/** Takes one task after the other until its source is over or the signal comes; then all have been given back. */
export async function runLoop(options: LoopOptions): Promise<void> {
  const { source, wake, signal } = options;
  const active = new Set<ActiveTask>();
  const failure = new AbortController();
  const pauses = new Pauses(options.pauses ?? OUTAGE_PAUSES);
  try {
    for (;;) {
      const woken = wake.next(Math.min(pauses.left || LOOK_AGAIN_MS, LOOK_AGAIN_MS));
      await takeUp(options, active, failure, pauses);
      failure.signal.throwIfAborted();
      if (signal.aborted) break;
      const held = await asTheyStand(options, active);
      if (held.every(({ waits }) => waits) && (await source.isOver(held))) break;
      await woken;
    }
  } finally {
    for (const task of active) task.stop.abort();
    await Promise.all([...active].map((task) => task.done));
    await wake.stop();
  }
  failure.signal.throwIfAborted();
}

async function takeUp(
  options: LoopOptions,
  active: Set<ActiveTask>,
  failure: AbortController,
  pauses: Pauses,
): Promise<void> {
  const { source, wake, parallel, signal, onOutage } = options;
  const pauseOrThrow = (error: unknown) => {
    const outage = asOutage(error);
    if (!outage || !onOutage) throw error;
    if (pauses.begin()) onOutage(outage);
  };
  const isBusy = async () =>
    active.size >= MOST_HELD ||
    (await asTheyStand(options, active)).filter(({ waits }) => !waits).length >= parallel;
  while (!signal.aborted && pauses.left === 0 && !(await isBusy())) {
    const task = await source.take().catch(pauseOrThrow);
    if (!task) return;
    const started: ActiveTask = { task, waits: false, stop: new AbortController(), done: Promise.resolve() };
    const onHold = (waits: boolean) => {
      started.waits = waits;
      wake.ring();
    };
    started.done = carry(options, task, started.stop.signal, onHold)
      .then(() => pauses.wentWell(), pauseOrThrow)
      .catch((error: unknown) => failure.abort(error))
      .finally(() => {
        active.delete(started);
        wake.ring();
      });
    active.add(started);
  }
}

/**
 * What goes wrong with one task stops that one only. What cannot even be told stops everything; so does an
 * outage, which the next task would meet as well.
 */
async function carry(
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
  lease.lost.addEventListener('abort', () => void tellLost(options, task, lease.lost.reason));
  const signal = AbortSignal.any([options.signal, lease.lost, stop]);
  try {
    const { home } = options;
    const held = { task, signal, confirm, onHold, ...(home === undefined ? {} : { home }) };
    await carryPatiently(options, held);
  } catch (error) {
    if (signal.aborted) return;
    if (isStale(error)) return tellLost(options, task, 'taken');
    const outage = asOutage(error);
    if (outage) throw outage;
    const fault = environmentFault(error);
    const reason =
      fault === undefined ? failureReason((error as Error).message) : `${ENVIRONMENT}${fault}`.slice(0, 4000);
    await unlessStale(tasks.block(projectId, id, reason, by, fence));
  } finally {
    lease.stop();
    await unlessStale(tasks.release(projectId, id, fence, by));
  }
}

/** How long to wait before each further try when something around the work fails. */
const FAULT_PATIENCE = [1000, 4000, 15_000];

/** Tries again what the environment stopped. A full disk is told at once: whoever fills it has to free some space. */
async function carryPatiently(options: LoopOptions, held: HeldTask): Promise<void> {
  const { patience = FAULT_PATIENCE } = options;
  for (let tries = 0; ; tries += 1) {
    try {
      return await options.carry(held);
    } catch (error) {
      const fault = environmentFault(error);
      const wait = patience[tries];
      if (fault === undefined || asDiskFull(error) || wait === undefined || held.signal.aborted) throw error;
      if (tries === 0) options.onFault?.(held.task, fault);
      await sleep(wait, undefined, { signal: held.signal }).catch(() => undefined);
    }
  }
}

/** A claim also ends when the task is closed, by us or by who decided about it: then nothing was lost. */
async function tellLost({ ledger, onLost }: LoopOptions, task: Task, why: LeaseLoss): Promise<void> {
  if (why === 'silent') return onLost?.(task, why);
  const now = await ledger.tasks.find(task.projectId, task.id).catch(() => undefined); // who works with the ledger tells why
  if (now?.status !== 'closed') onLost?.(task, why);
}

/** An agent that asks by a command of its own waits as well, though its process is only seen to run. */
function asTheyStand({ ledger }: LoopOptions, active: Set<ActiveTask>): Promise<HeldStanding[]> {
  return Promise.all(
    [...active].map(async ({ task: { projectId, id }, waits }) => {
      const task = await ledger.tasks.get(projectId, id);
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
