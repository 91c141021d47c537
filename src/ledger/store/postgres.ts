import type { Pool, PoolClient } from 'pg';
import { FermataError } from '../../schema/error.ts';
import { CHANNEL, listenForChanges } from './change-listener.ts';
import { groupCommit, type Transaction } from './group-commit.ts';
import { migrationsAfter, refuseNewer, schemaVersion } from './migrations.ts';
import { PostgresJobs } from './postgres-jobs.ts';
import { postgresRunner } from './postgres-runner.ts';
import type { Store } from './store.ts';
import { storeError } from './store-error.ts';

/** Only one process migrates at a time; any fixed number does. */
const MIGRATION_LOCK = 7_266_283;

/** The server store: the same ledger on PostgreSQL, for several hubs and many workers. */
export async function openPostgres(url: string): Promise<Store> {
  const place = withoutPassword(url);
  try {
    return await open(url, place);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_INVALID_URL') throw notAUrl(place);
    throw storeError(error, place);
  }
}

/** The URL as it may be shown. Rather too little than a part of a password that has characters of a URL in it. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^:@/]*):.*@/i, '$1:…@').replace(/([?&](?:ssl)?password=)[^&#]*/gi, '$1…');
}

function notAUrl(place: string): FermataError {
  return new FermataError(
    'invalid',
    `"${place}" is not a valid PostgreSQL URL. Use postgres://user@host:5432/database, and percent-encode special characters in the password (@ is %40).`,
  );
}

async function open(url: string, place: string): Promise<Store> {
  const pg = (await import('pg')).default;
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    pipeline: true, // statements that are not awaited one by one travel together
    types: numbersAsNumbers(pg.types),
    allowExitOnIdle: true,
    connectionTimeoutMillis: 10_000,
    // A holder of a lock that hangs must not hang everybody: the one that waits is told to try again.
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  // Without a listener a connection that is cut would end the process, be it idle (the next query opens another)
  // or in use (its queries report the error).
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  try {
    await migrate(pool, place);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const changes = listenForChanges(() => new pg.Client({ connectionString: url, keepAlive: true }));
  const jobs = new PostgresJobs(pool, place);
  const begin = () => beginTransaction(pool, place, jobs);
  const { write, writeAlone, idle } = groupCommit({
    place,
    begin,
    flush: alreadyDurable,
    changed: changes.tell,
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await idle();
    await changes.stop();
    await pool.end();
  };
  return {
    dialect: 'postgres',
    place,
    reader: postgresRunner(pool, place),
    write,
    writeAlone,
    onChange: changes.listen,
    jobs,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** 64-bit integers as numbers: ours stay far below 2^53. */
function numbersAsNumbers(types: typeof import('pg').types) {
  const INT8 = 20;
  return {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? (text: string) => Number(text) : types.getTypeParser(oid, format ?? 'text'),
  } as typeof types;
}

async function migrate(pool: Pool, place: string): Promise<void> {
  const client = await pool.connect();
  try {
    if ((await versionOf(client)) === schemaVersion) return client.release();
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query('create table if not exists fermata_schema (version integer not null)');
    const version = await versionOf(client);
    refuseNewer(version, place);
    for (const statement of migrationsAfter(version, 'postgres')) await client.query(statement);
    await client.query('delete from fermata_schema');
    await client.query('insert into fermata_schema values ($1)', [schemaVersion]);
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function versionOf(client: PoolClient): Promise<number> {
  const table = await client.query("select to_regclass('fermata_schema') is not null as there");
  if (!table.rows[0].there) return 0;
  const { rows } = await client.query('select version from fermata_schema');
  return rows[0]?.version ?? 0;
}

async function beginTransaction(pool: Pool, place: string, jobs: PostgresJobs): Promise<Transaction> {
  try {
    const client = await pool.connect();
    await client.query('begin').catch((error: unknown) => {
      client.release(true);
      throw error;
    });
    return {
      ...postgresRunner(client, place),
      queueReady: (projectId) => jobs.queueReady(client, projectId),
      // In an aborted transaction the notify fails; a commit alone would roll back and report success.
      commit: () => finish(client, place, `notify ${CHANNEL}; commit`),
      rollback: () => finish(client, place, 'rollback').catch(() => client.release(true)),
    };
  } catch (error) {
    throw storeError(error, place);
  }
}

async function finish(client: PoolClient, place: string, statements: string): Promise<void> {
  try {
    await client.query(statements);
  } catch (error) {
    throw storeError(error, place);
  }
  client.release();
}

const ignore = () => undefined;

/** The server's commit waits for its disk. */
const alreadyDurable = () => Promise.resolve();
