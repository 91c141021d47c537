import { setImmediate as nextTurn } from 'node:timers/promises';
import { crashPoint } from '../crash-point.ts';
import { appendEvents } from '../events/event-sql.ts';
import { lockProject } from '../projects/project-sql.ts';
import { FAIL_FAST_MS, failAfter } from './fail-fast.ts';
import type { NewEvent, SqlRunner, Tx } from './store.ts';
import { storeError } from './store-error.ts';

/** One open transaction of a store. */
export interface Transaction extends SqlRunner {
  /** Queues a job for each task of the project that workers may now look at. */
  queueReady?(projectId: string): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** What a caller that cannot wait and its write know of each other. */
interface Caller {
  /** The caller has already been told that it failed. */
  isOver: boolean;
  /** The write is part of a transaction that may be committed. */
  isBegun: boolean;
}

interface Job extends Caller {
  work(tx: Tx): Promise<unknown>;
  /** It does not share a transaction, because it must not run twice. */
  once: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** How often it was started. */
  tries: number;
}

/** Larger groups gain nothing, and each savepoint makes a PostgreSQL transaction slower. */
const GROUP = 100;

/**
 * Writes of one project that wait at the same time share one transaction, and so one flush to disk. If one of them fails,
 * everything is rolled back and run again, each write with its own savepoint, so that only the failed one is undone.
 * Savepoints every time would cost more. Nobody is told of success before the shared commit.
 */
export function groupCommit(store: {
  place: string;
  begin(): Promise<Transaction>;
  /** Makes the committed data durable. */
  flush(): Promise<void>;
  /** Signals that something changed. */
  changed(): void;
  /**
   * Called after a failure when nothing was committed: waits for an unavailable server. False if the failure has another
   * reason, or if nobody waits any longer.
   */
  canRetry?(error: unknown, tries: number): Promise<boolean>;
}) {
  const waiting = new Map<string, Job[]>();
  const atWork = new Set<Promise<void>>();

  function write<T>(projectId: string, work: (tx: Tx) => Promise<T>, once = false): Promise<T> {
    return new Promise<T>((resolve, reject) => add(projectId, newJob(work, once, resolve, reject)));
  }

  /**
   * Like `write`, for a caller that would rather fail than wait: once it has failed, its work is not started. If the
   * work has begun by then, the error says that it may still be stored.
   */
  function writeFailFast<T>(projectId: string, work: (tx: Tx) => Promise<T>, once = false): Promise<T> {
    let job: Job | undefined;
    const written = new Promise<T>((resolve, reject) => {
      job = newJob(work, once, resolve, reject);
      add(projectId, job);
    });
    return failAfter(written, FAIL_FAST_MS, () => {
      if (job) job.isOver = true;
      return job?.isBegun ?? false;
    });
  }

  function add(projectId: string, job: Job): void {
    const queue = waiting.get(projectId);
    if (queue) {
      queue.push(job);
      return;
    }
    waiting.set(projectId, [job]);
    keep(drain(projectId));
  }

  /** Resolves when all work requested so far is done. */
  async function idle(): Promise<void> {
    while (atWork.size > 0) await Promise.all(atWork);
  }

  function keep(work: Promise<void>): void {
    const ended = work.finally(() => atWork.delete(ended));
    atWork.add(ended);
  }

  async function drain(projectId: string): Promise<void> {
    for (;;) {
      await gathered(projectId);
      const transaction = await store.begin().catch((error: unknown) => ({ error }));
      const queue = waiting.get(projectId) ?? [];
      if ('error' in transaction) for (const job of queue.splice(0)) job.reject(transaction.error);
      else await runGroup(transaction, projectId, nextGroup(queue), false);
      if (queue.length === 0) {
        waiting.delete(projectId);
        return;
      }
    }
  }

  /** Waits until a turn of the event loop adds no more writes, so that simultaneous requests share the commit. */
  async function gathered(projectId: string): Promise<void> {
    for (let before = 0, now = 1; now > before && now < GROUP; ) {
      await nextTurn();
      before = now;
      now = waiting.get(projectId)?.length ?? 0;
    }
  }

  async function runGroup(
    transaction: Transaction,
    projectId: string,
    jobs: Job[],
    apart: boolean,
  ): Promise<void> {
    const told: (() => void)[] = [];
    let atJobs = false;
    try {
      const events: NewEvent[] = [];
      const changes = { tasks: false };
      const project = await lockProject(transaction, projectId);
      atJobs = true;
      for (const job of jobs.filter(({ isOver }) => !isOver)) {
        job.isBegun = true;
        told.push(await runJob(transaction, projectId, project.now, job, { events, changes, apart }));
      }
      atJobs = false;
      if (changes.tasks) await transaction.queueReady?.(projectId);
      if (events.length > 0) await appendEvents(transaction, project, events);
      crashPoint('write.before-commit');
      await transaction.commit();
    } catch (error) {
      // If even the rollback fails, the connection is gone; the first error is the one to report.
      await transaction.rollback().catch(ignore);
      if (await store.canRetry?.(storeError(error, store.place), triesOf(jobs))) {
        for (const job of jobs) job.isBegun = false;
        waiting.get(projectId)?.unshift(...jobs);
        return;
      }
      if (jobs.length > 1 && atJobs && !apart) return runApart(projectId, jobs);
      for (const job of jobs) job.reject(storeError(error, store.place));
      return;
    }
    crashPoint('write.after-commit');
    keep(tellWhenDurable(told, jobs));
  }

  async function runApart(projectId: string, jobs: Job[]): Promise<void> {
    try {
      await runGroup(await store.begin(), projectId, jobs, true);
    } catch (error) {
      for (const job of jobs) job.reject(error);
    }
  }

  /** The next group does not wait for the disk: it shares the next flush. */
  async function tellWhenDurable(told: (() => void)[], jobs: Job[]): Promise<void> {
    try {
      await store.flush();
      for (const tell of told) tell();
    } catch (error) {
      for (const job of jobs) job.reject(error);
    }
    store.changed();
  }

  /** One transaction that does not share its commit. */
  function writeAlone<T>(
    work: (runner: SqlRunner) => Promise<T>,
    caller: Caller = { isOver: false, isBegun: false },
  ): Promise<T> {
    const written = alone(work, caller);
    keep(written.then(ignore, ignore));
    return written;
  }

  function writeAloneFailFast<T>(work: (runner: SqlRunner) => Promise<T>): Promise<T> {
    const caller = { isOver: false, isBegun: false };
    return failAfter(writeAlone(work, caller), FAIL_FAST_MS, () => {
      caller.isOver = true;
      return caller.isBegun;
    });
  }

  async function alone<T>(work: (runner: SqlRunner) => Promise<T>, caller: Caller): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      caller.isBegun = false;
      const transaction = await store.begin();
      let value: T;
      try {
        if (caller.isOver) throw new Error('Nobody waits for it any more.');
        caller.isBegun = true;
        value = await work(transaction);
        await transaction.commit();
      } catch (error) {
        await transaction.rollback().catch(ignore);
        if (await store.canRetry?.(storeError(error, store.place), tries)) continue;
        throw error;
      }
      await store.flush();
      return value;
    }
  }

  return { write, writeFailFast, writeAlone, writeAloneFailFast, idle };
}

const ignore = () => undefined;

function newJob<T>(
  work: (tx: Tx) => Promise<T>,
  once: boolean,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Job {
  const heard = { resolve: resolve as (value: unknown) => void, reject };
  return { work, once, ...heard, isOver: false, isBegun: false, tries: 0 };
}

function triesOf(jobs: Job[]): number {
  for (const job of jobs) job.tries += 1;
  return Math.max(0, ...jobs.map(({ tries }) => tries));
}

/** Takes the writes that share a transaction: up to the first that must run alone, without those that nobody waits for. */
function nextGroup(queue: Job[]): Job[] {
  const alone = queue.findIndex(({ once }) => once);
  const size = Math.min(alone === -1 ? queue.length : Math.max(alone, 1), GROUP);
  return queue.splice(0, size).filter(({ isOver }) => !isOver);
}

async function runJob(
  transaction: Transaction,
  projectId: string,
  now: number,
  job: Job,
  { events, changes: told, apart }: { events: NewEvent[]; changes: { tasks: boolean }; apart: boolean },
): Promise<() => void> {
  const emitted: NewEvent[] = [];
  const { dialect, db, run, sql, changes } = transaction;
  const tx: Tx = {
    ...{ dialect, db, run, sql, changes, projectId, now },
    emit: (event) => emitted.push(event),
    tasksChanged: () => {
      told.tasks = true;
    },
  };
  if (!apart) {
    const value = await job.work(tx);
    events.push(...emitted);
    return () => job.resolve(value);
  }
  try {
    const [, value] = await Promise.all([transaction.sql('savepoint job'), job.work(tx)]);
    await transaction.sql('release savepoint job');
    events.push(...emitted);
    return () => job.resolve(value);
  } catch (error) {
    // A full disk or a lost connection ends the whole transaction; then this error is the one to report.
    await transaction.sql('rollback to savepoint job').catch(() => {
      throw error;
    });
    return () => job.reject(error);
  }
}
