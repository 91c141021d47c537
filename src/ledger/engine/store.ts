import type { Compilable, Kysely } from 'kysely';
import type { Event } from '../../schema/event.ts';
import type { JobQueue } from './job-queue.ts';
import type { Tables } from './tables.ts';

export type Dialect = 'sqlite' | 'postgres';

export type NewEvent = Unnumbered<Event>;
type Unnumbered<Each> = Each extends Event ? Pick<Each, 'type' | 'by' | 'data'> : never;

/** Something that runs statements: `db` only builds them, in the store's dialect. */
export interface SqlRunner {
  readonly dialect: Dialect;
  /** @internal so that the library's types need no Kysely. */
  readonly db: Kysely<Tables>;
  /** Runs a built statement. @internal */
  run<Row>(query: Compilable<Row>): Promise<Row[]>;
  /** Runs plain SQL with `?` for parameters: for hot statements and those that a builder makes no clearer. */
  sql<Row = never>(text: string, ...parameters: unknown[]): Promise<Row[]>;
  /** The same for a statement that gives no rows back: how many it changed. */
  changes(text: string, ...parameters: unknown[]): Promise<number>;
}

/** One transaction on one project, which it has locked. Its events are numbered and stored with it. */
export interface Tx extends SqlRunner {
  readonly projectId: string;
  /** The store's clock, fixed for the transaction. */
  readonly now: number;
  emit(event: NewEvent): void;
  /** Says that tasks may have become ready: a store that has jobs looks before it commits. */
  tasksChanged(): void;
}

export interface Store {
  readonly dialect: Dialect;
  /** Where it is, for messages: a path, or a URL without its password. */
  readonly place: string;
  readonly reader: SqlRunner;
  /**
   * Runs `work` in a transaction; resolves when it is durable. Several may share one commit, and where another one fails
   * `work` is run again, unless it is to be run `once`: it changes nothing but the store.
   */
  write<T>(projectId: string, work: (tx: Tx) => Promise<T>, once?: boolean): Promise<T>;
  /** One transaction for rows that belong to no project: none is locked, no events. */
  writeAlone<T>(work: (runner: SqlRunner) => Promise<T>): Promise<T>;
  /** Calls back soon after anything was committed, here or by another process. A hint: read again. */
  onChange(listener: () => void): () => void;
  /** Says to workers which tasks to look at. Undefined: they look at the tables themselves, at every change. */
  readonly jobs?: JobQueue;
  /** The same store for a caller that cannot wait: what does not get through within a few seconds is refused. */
  readonly hurried: Store;
  close(): Promise<void>;
}
