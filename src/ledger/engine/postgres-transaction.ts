import type { PoolClient } from 'pg';
import { retry, schedules } from '../../files/retry.ts';
import { FermataError } from '../../schema/error.ts';
import { newId } from '../ids.ts';
import type { Availability } from './availability.ts';
import { CHANNEL } from './change-hints.ts';
import type { Transaction } from './group-commit.ts';
import type { Connections } from './postgres-connections.ts';
import type { PostgresJobs } from './postgres-jobs.ts';
import { postgresRunner } from './runners.ts';
import { isStoreUnreachable, storeError } from './store-error.ts';

/** What a connection leaves with each transaction, so that another can see whether it was committed. */
interface Mark {
  writer: string;
  number: number;
}

const marks = new WeakMap<PoolClient, Mark>();

/** The server's clock. */
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

const LEAVE_MARK = {
  name: 'fermata_leave_mark',
  text: `insert into commit_marks (writer, number, at) values ($1, $2, ${NOW})
    on conflict (writer) do update set number = excluded.number, at = excluded.at`,
};

/** Waits for the other transaction to end if it still holds the row. */
const READ_MARK = `insert into commit_marks (writer, number, at) values ($1, 0, ${NOW})
  on conflict (writer) do update set at = excluded.at returning number`;

/** Removes the marks of connections that are long gone. */
const SWEEP_MARKS = `delete from commit_marks where writer in (
  select writer from commit_marks where at < ${NOW} - 86400000 for update skip locked)`;

/** A transaction that knows in the end whether it was committed, even if its connection is lost at that moment. */
export async function beginTransaction(server: {
  connections: Connections;
  availability: Availability;
  jobs: PostgresJobs;
  place: string;
}): Promise<Transaction> {
  const { connections, availability, jobs, place } = server;
  const client = await connections.take().catch((error: unknown) => {
    throw storeError(error, place);
  });
  let isReleased = false;
  const release = (isBroken: boolean) => {
    if (!isReleased) client.release(isBroken);
    isReleased = true;
  };
  const run = <T>(statements: () => Promise<T>) => connections.within(client, statements);
  const isNew = !marks.has(client);
  const mark = nextMark(client);
  try {
    await run(() =>
      Promise.all([
        client.query('begin'),
        client.query({ ...LEAVE_MARK, values: [mark.writer, mark.number] }),
        ...(isNew ? [client.query(SWEEP_MARKS)] : []),
      ]),
    );
  } catch (error) {
    release(true);
    throw storeError(error, place);
  }
  return {
    ...postgresRunner((statement) => run(() => client.query(statement)), place),
    queueReady: (projectId) => run(() => jobs.queueReady(client, projectId)),
    async commit() {
      try {
        // In an aborted transaction the notify fails; a commit alone would roll back and report success.
        await run(() => client.query(`notify ${CHANNEL}; commit`));
        release(false);
      } catch (cause) {
        const error = storeError(cause, place);
        if (!isStoreUnreachable(error)) throw error;
        release(true);
        if (!(await wasCommitted(connections, availability, mark, place))) throw error;
      }
    },
    async rollback() {
      if (isReleased) return;
      try {
        await run(() => client.query('rollback'));
        release(false);
      } catch {
        release(true);
      }
    },
  };
}

function nextMark(client: PoolClient): Mark {
  const { writer, number } = marks.get(client) ?? { writer: newId('w'), number: 0 };
  const mark = { writer, number: number + 1 };
  marks.set(client, mark);
  return mark;
}

async function wasCommitted(
  connections: Connections,
  availability: Availability,
  { writer, number }: Mark,
  place: string,
): Promise<boolean> {
  const look = async () => {
    try {
      return await connections.use((client) => client.query(READ_MARK, [writer]));
    } catch (error) {
      throw storeError(error, place);
    }
  };
  const isBusy = (error: unknown) => error instanceof FermataError && error.code === 'busy';
  try {
    const { rows } = await retry(
      schedules.lostTransaction,
      ({ error }) => isBusy(error),
      () => availability.patiently(look),
    );
    return rows[0]?.number === number;
  } catch {
    throw outcomeUnknown(place);
  }
}

/** It has no `cause`, so that nobody retries it. */
function outcomeUnknown(place: string): FermataError {
  return new FermataError(
    'unavailable',
    `The connection to the ledger at ${place} was lost during a commit. It is unknown whether this was stored; check before you try again.`,
  );
}
