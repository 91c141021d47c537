import { setImmediate as nextTurn } from 'node:timers/promises';
import { crashPoint } from '../crash-point.ts';
import { appendEvents } from '../events/event-log.ts';
import { watchClock } from '../projects/project-clock.ts';
import { type LockedProject, lockProject } from '../projects/project-sql.ts';
import type { NewEvent, Scope, SqlRunner, Tx, Write } from './store.ts';
import { failAfter, storeError } from './store-error.ts';

/** One open transaction of a store. */
export interface Transaction extends SqlRunner {
  /** Queues a job for each task of the project that workers may now look at. */
  queueReady?(projectId: string): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

interface Job {
  work(tx: Tx): Promise<unknown>;
  /** It does not share a transaction, because it must not run twice. */
  once: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  /** Its caller has already been told that it failed. */
  isOver: boolean;
  /** It is part of a transaction that may be committed. */
  isBegun: boolean;
}

/** Larger groups gain nothing, and each savepoint makes a PostgreSQL transaction slower. */
const GROUP = 100;

/**
 * Writes of one scope that wait at the same time share one transaction, and so one flush to disk. If one of them fails,
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
  /** Runs `attempt` again if the server was unavailable, once it is back. */
  patiently?<T>(attempt: () => Promise<T>): Promise<T>;
}) {
  const { patiently = (attempt) => attempt() } = store;
  const waiting = new Map<Scope, Job[]>();
  const atWork = new Set<Promise<void>>();
  const clock = watchClock();

  const write: Write = (scope, work, { once = false, deadline } = {}) => {
    const job = { work, once, isOver: false, isBegun: false };
    const written = new Promise<Awaited<ReturnType<typeof work>>>((resolve, reject) =>
      add(scope, Object.assign(job, { resolve, reject })),
    );
    if (deadline === undefined) return written;
    return failAfter(written, deadline, () => {
      job.isOver = true;
      return job.isBegun;
    });
  };

  function add(scope: Scope, job: Job): void {
    const queue = waiting.get(scope);
    if (queue) {
      queue.push(job);
      return;
    }
    waiting.set(scope, [job]);
    keep(drain(scope));
  }

  /** Resolves when all work requested so far is done. */
  async function idle(): Promise<void> {
    while (atWork.size > 0) await Promise.all(atWork);
  }

  function keep(work: Promise<void>): void {
    const ended = work.finally(() => atWork.delete(ended));
    atWork.add(ended);
  }

  async function drain(scope: Scope): Promise<void> {
    for (;;) {
      await gathered(scope);
      const transaction = await patiently(store.begin).catch((error: unknown) => ({ error }));
      const queue = waiting.get(scope) ?? [];
      if ('error' in transaction) for (const job of queue.splice(0)) job.reject(transaction.error);
      else await runGroup(transaction, scope, nextGroup(queue), false);
      if (queue.length === 0) {
        waiting.delete(scope);
        return;
      }
    }
  }

  /** Waits until a turn of the event loop adds no more writes, so that simultaneous requests share the commit. */
  async function gathered(scope: Scope): Promise<void> {
    for (let before = 0, now = 1; now > before && now < GROUP; ) {
      await nextTurn();
      before = now;
      now = waiting.get(scope)?.length ?? 0;
    }
  }

  /** Runs it in `begun`, and after an outage in a new transaction. */
  async function runGroup(begun: Transaction, scope: Scope, jobs: Job[], apart: boolean): Promise<void> {
    let next: Transaction | undefined = begun;
    const progress = { atJobs: false };
    try {
      const replies = await patiently(async () => {
        const transaction = next ?? (await store.begin());
        next = undefined;
        return commitGroup(transaction, scope, { jobs, apart, progress });
      });
      crashPoint('write.after-commit');
      keep(replyWhenDurable(replies, jobs));
    } catch (error) {
      if (jobs.length > 1 && progress.atJobs && !apart) return runApart(scope, jobs);
      for (const job of jobs) job.reject(error);
    }
  }

  /** Resolves to what gives each caller its result. */
  async function commitGroup(
    transaction: Transaction,
    scope: Scope,
    { jobs, apart, progress }: { jobs: Job[]; apart: boolean; progress: { atJobs: boolean } },
  ): Promise<(() => void)[]> {
    const replies: (() => void)[] = [];
    progress.atJobs = false;
    try {
      const effects: Effects = { events: [], tasksChanged: false };
      const project = scope === null ? undefined : await lockProject(transaction, scope);
      if (project) await clock(transaction, project);
      progress.atJobs = true;
      for (const job of jobs.filter(({ isOver }) => !isOver)) {
        job.isBegun = true;
        replies.push(await runJob(transaction, project, job, effects, apart));
      }
      progress.atJobs = false;
      if (project && effects.tasksChanged) await transaction.queueReady?.(project.id);
      if (project && effects.events.length > 0) await appendEvents(transaction, project, effects.events);
      crashPoint('write.before-commit');
      await transaction.commit();
      return replies;
    } catch (error) {
      // If even the rollback fails, the connection is gone; the first error is the one to report.
      await transaction.rollback().catch(ignore);
      for (const job of jobs) job.isBegun = false;
      throw storeError(error, store.place);
    }
  }

  async function runApart(scope: Scope, jobs: Job[]): Promise<void> {
    try {
      await runGroup(await patiently(store.begin), scope, jobs, true);
    } catch (error) {
      for (const job of jobs) job.reject(error);
    }
  }

  /** The next group does not wait for the disk: it shares the next flush. */
  async function replyWhenDurable(replies: (() => void)[], jobs: Job[]): Promise<void> {
    try {
      await store.flush();
      for (const reply of replies) reply();
    } catch (error) {
      for (const job of jobs) job.reject(error);
    }
    store.changed();
  }

  return { write, idle };
}

const ignore = () => undefined;

/** Takes the writes that share a transaction: up to the first that must run alone, without those that nobody waits for. */
function nextGroup(queue: Job[]): Job[] {
  const alone = queue.findIndex(({ once }) => once);
  const size = Math.min(alone === -1 ? queue.length : Math.max(alone, 1), GROUP);
  return queue.splice(0, size).filter(({ isOver }) => !isOver);
}

/** What jobs did besides changing rows. */
interface Effects {
  events: NewEvent[];
  tasksChanged: boolean;
}

async function runJob(
  transaction: Transaction,
  project: LockedProject | undefined,
  job: Job,
  effects: Effects,
  apart: boolean,
): Promise<() => void> {
  const emitted: NewEvent[] = [];
  const { dialect, db, run, sql, changes } = transaction;
  const tx: Tx = {
    ...{ dialect, db, run, sql, changes },
    ...{ projectId: project?.id ?? '', now: project?.now ?? 0 },
    emit: (event) => emitted.push(event),
    tasksChanged: () => {
      effects.tasksChanged = true;
    },
  };
  if (!apart) {
    const value = await job.work(tx);
    effects.events.push(...emitted);
    return () => job.resolve(value);
  }
  try {
    const [, value] = await Promise.all([transaction.sql('savepoint job'), job.work(tx)]);
    await transaction.sql('release savepoint job');
    effects.events.push(...emitted);
    return () => job.resolve(value);
  } catch (error) {
    // A full disk or a lost connection ends the whole transaction; then this error is the one to report.
    await transaction.sql('rollback to savepoint job').catch(() => {
      throw error;
    });
    return () => job.reject(error);
  }
}
