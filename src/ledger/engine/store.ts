import type { Compilable, Kysely } from 'kysely';
import type { Event } from '../../schema/event.ts';
import type { Tables } from './tables.ts';

export type Dialect = 'sqlite' | 'postgres';

export type NewEvent = Unnumbered<Event>;
type Unnumbered<Each> = Each extends Event ? Pick<Each, 'type' | 'by' | 'data'> : never;

/** Runs statements; `db` only builds them, in the store's dialect. */
export interface SqlRunner {
  readonly dialect: Dialect;
  /** @internal so that the library's types do not need Kysely. */
  readonly db: Kysely<Tables>;
  /** Runs a built statement. @internal */
  run<Row>(query: Compilable<Row>): Promise<Row[]>;
  /** Runs plain SQL with `?` for parameters: for hot statements, and those that a builder does not make clearer. */
  sql<Row = never>(text: string, ...parameters: unknown[]): Promise<Row[]>;
  /** Like `sql`, for a statement without result rows: how many rows it changed. */
  changes(text: string, ...parameters: unknown[]): Promise<number>;
}

/** One transaction on one project, which it locks. Its events are numbered and stored with it. */
export interface Tx extends SqlRunner {
  readonly projectId: string;
  /** The store's clock, fixed for the transaction. */
  readonly now: number;
  emit(event: NewEvent): void;
  /** Signals that tasks may have become ready; a store with jobs checks before it commits. */
  tasksChanged(): void;
}

/** The project that a write locks, and whose events it numbers; null for rows that belong to no project. */
export type Scope = string | null;

/**
 * Runs `work` in a transaction; resolves when it is durable. Several of one scope may share one commit. If another one
 * fails, `work` runs again unless `once` is set, so it must change nothing but the store. After `deadline` milliseconds it
 * fails; if it has not begun by then, it is not stored later.
 */
export type Write = <S extends Scope, T>(
  scope: S,
  work: (tx: S extends string ? Tx : SqlRunner) => Promise<T>,
  options?: { once?: boolean; deadline?: number },
) => Promise<T>;

/** The ledger at one moment, whatever is written meanwhile. */
export interface Snapshot extends SqlRunner {
  /** All rows of a query without parameters, a page at a time. */
  pages<Row>(text: string): AsyncGenerator<Row[], void>;
}

export interface Store {
  readonly dialect: Dialect;
  /** Where the store is, for messages: a path, or a URL without its password. */
  readonly place: string;
  readonly reader: SqlRunner;
  readonly write: Write;
  /** Runs `work`, which only reads, on a snapshot. */
  snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** Calls back soon after any commit, here or by another process. It is only a hint to read again. */
  onChange(listener: () => void): () => void;
  /** Tells workers which tasks to look at. Undefined: they look at the tables themselves at every change. */
  readonly jobs?: JobQueue;
  /** The same store, with this deadline in milliseconds for each call. A file does not need one. */
  within(deadline: number): Store;
  close(): Promise<void>;
}

/** A project, and the abilities that one of its ready tasks needs. */
export interface WantedGroup {
  projectId: string;
  needs: string;
}

/** A job only says "look at this task". Who may work on it is decided by the task's claim. */
export interface QueuedJob extends WantedGroup {
  id: string;
  taskId: string;
}

/** Tells workers about ready tasks. A lost or duplicate job does no harm. */
export interface JobQueue {
  /** Creates or updates its own tables, as their owner. */
  install(): Promise<void>;
  /** Creates the queue for such tasks if it is missing. */
  open(group: WantedGroup): Promise<void>;
  /** Takes the next job of a queue. If it is neither `done` nor `failed` within a minute, another worker gets it. */
  take(group: WantedGroup): Promise<QueuedJob | undefined>;
  done(job: QueuedJob): Promise<void>;
  /** The job is retried a few times and then moved to the dead-letter queue. */
  failed(job: QueuedJob, reason: string): Promise<void>;
  /** How many jobs are in the dead-letter queue. */
  countDead(): Promise<number>;
  /** Takes part in the timed work of jobs (retries, clean-up, the clock) until stopped. */
  supervise(): Promise<{ stop(): Promise<void> }>;
  /** True for one of all workers each minute, which then does the regular work. */
  takesTurn(): Promise<boolean>;
}
