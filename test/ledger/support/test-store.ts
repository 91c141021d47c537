import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { findFaults } from '../../../src/ledger/care/find-faults.ts';
import { type Ledger, type openLedger, openStore } from '../../../src/ledger/ledger.ts';

export type StoreName = 'SQLite' | 'PostgreSQL';
type Operation = 'insert' | 'update' | 'delete';

/** A real store for one test file, accessed directly instead of through the ledger. */
export interface FreshStore {
  /** What `openLedger` takes. */
  readonly place: string;
  /** The same for a worker, if it has a role of its own. */
  readonly workerPlace?: string;
  sql<Row>(text: string, ...values: (string | number | null)[]): Promise<Row[]>;
  /** The statements that make an operation on a table fail, and those that undo it. */
  failure(table: string, operation: Operation): { begin: string; end: string };
  /** What a closed ledger left behind: open files, connections. */
  leftovers(): Promise<string[]>;
  /** Fails if something still uses it. */
  remove(): Promise<void>;
}

export interface TestStore {
  readonly name: StoreName;
  readonly place: string;
  readonly workerPlace: string;
  /** Another ledger on the same store, as another process would have it. It is closed after the test. */
  open(env?: Record<string, string>): Promise<Ledger>;
  /** A ledger, and a project that is new in it. */
  start(): Promise<{ ledger: Ledger; project: string }>;
  project(ledger: Ledger): Promise<string>;
  sql: FreshStore['sql'];
  /** While `work` runs, the store refuses this operation on this table. */
  whileFailing<T>(table: string, operation: Operation, work: () => Promise<T>): Promise<T>;
}

/**
 * Creates the store before the file's tests, closes what each test opened, and fails at the end if anything is
 * left open.
 */
export function testStore(
  name: StoreName,
  make: () => Promise<FreshStore>,
  open: typeof openLedger,
): TestStore {
  let fresh: FreshStore;
  let opened: Ledger[] = [];
  beforeAll(async () => {
    fresh = await make();
  });
  afterEach(async () => {
    for (const ledger of opened) await ledger.close();
    opened = [];
  });
  afterAll(async () => {
    const used = await openStore(fresh.place);
    const faults = await used.snapshot(findFaults).finally(() => used.close());
    expect(faults, 'what the tests left in the ledger').toEqual([]);
    expect(await fresh.leftovers(), 'what the tests left open').toEqual([]);
    await fresh.remove();
  });

  const store: TestStore = {
    name,
    get place() {
      return fresh.place;
    },
    get workerPlace() {
      return fresh.workerPlace ?? fresh.place;
    },
    async open(env = {}) {
      const ledger = await open(fresh.place, env);
      opened.push(ledger);
      return ledger;
    },
    async start() {
      const ledger = await store.open();
      return { ledger, project: await store.project(ledger) };
    },
    async project(ledger) {
      const id = `p-${randomUUID()}`;
      await ledger.projects.ensure({ id, name: id, root: null });
      return id;
    },
    sql: (text, ...values) => fresh.sql(text, ...values),
    async whileFailing(table, operation, work) {
      const { begin, end } = fresh.failure(table, operation);
      await fresh.sql(begin);
      try {
        return await work();
      } finally {
        await fresh.sql(end);
      }
    },
  };
  return store;
}
