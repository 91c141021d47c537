import type { PoolClient } from 'pg';
import { withoutPassword } from '../../schema/address.ts';
import { FermataError } from '../../schema/error.ts';
import { type Patience, watchAvailability } from './availability.ts';
import { listenForChanges } from './change-hints.ts';
import { groupCommit } from './group-commit.ts';
import { migrationsAfter, schemaVersion, supported } from './migrations.ts';
import { type Connections, openConnections } from './postgres-connections.ts';
import { IS_OWNER, PostgresJobs } from './postgres-jobs.ts';
import { beginTransaction } from './postgres-transaction.ts';
import { postgresRunner, type Statement } from './runners.ts';
import type { Snapshot, Store } from './store.ts';
import { ASK_OWNER, failAfter, storeError } from './store-error.ts';

/** Only one process migrates at a time; the number is arbitrary. */
export const MIGRATION_LOCK = 7_266_283;

/**
 * The server store: the same ledger on PostgreSQL, for several hubs and many workers. `patience` is how long a caller
 * waits for an unavailable server; by default, not at all.
 */
export async function openPostgres(url: string, patience: Patience = { ms: 0 }): Promise<Store> {
  const place = withoutPassword(url);
  try {
    return await open(url, place, patience);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_INVALID_URL') throw notAUrl(place);
    throw storeError(error, place);
  }
}

function notAUrl(place: string): FermataError {
  return new FermataError(
    'invalid',
    `"${place}" is not a valid PostgreSQL URL. Use postgres://user@host:5432/database, and percent-encode special characters in the password (@ is %40).`,
  );
}

async function open(url: string, place: string, patience: Patience): Promise<Store> {
  const pg = (await import('pg')).default;
  const connections = openConnections(pg, url, () => availability.suspect());
  const withStoreError = <T>(attempt: Promise<T>) =>
    attempt.catch((error: unknown) => Promise.reject(storeError(error, place)));
  const availability = watchAvailability({
    probe: () => withStoreError(connections.probe()),
    onReconnect: () => connections.dropSilent(),
    patience,
  });
  const end = async () => {
    availability.stop();
    await connections.end();
  };
  try {
    await availability.patiently(() => withStoreError(migrate(connections, place)));
  } catch (error) {
    await end();
    throw error;
  }
  const changes = listenForChanges(connections.listener);
  const send = (statement: Statement) => connections.use((client) => client.query(statement));
  const read = (statement: Statement, deadline?: number) => {
    const reading = availability.patiently(() => withStoreError(send(statement)), deadline);
    return deadline === undefined ? reading : failAfter(reading, deadline);
  };
  const jobs = new PostgresJobs((text, values) => read({ text, values }), place);
  const group = groupCommit({
    place,
    begin: () => beginTransaction({ connections, availability, jobs, place }),
    flush: alreadyDurable,
    changed: changes.tell,
    patiently: availability.patiently,
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await group.idle();
    await changes.stop();
    await end();
  };
  const within = (deadline?: number): Store => ({
    dialect: 'postgres',
    place,
    reader: postgresRunner((statement) => read(statement, deadline), place),
    write: (scope, work, options) => group.write(scope, work, { deadline, ...options }),
    snapshot: (work) => withStoreError(onSnapshot(connections, place, work)),
    onChange: changes.listen,
    jobs,
    within,
    close() {
      closing ??= close();
      return closing;
    },
  });
  return within();
}

const PAGE = 500;

async function onSnapshot<T>(
  { take, within }: Connections,
  place: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = await take();
  const send = (text: string) => within(client, () => client.query(text));
  const runner = postgresRunner((statement) => within(client, () => client.query(statement)), place);
  try {
    await send('begin isolation level repeatable read read only');
    return await work({
      ...runner,
      async *pages<Row>(text: string) {
        // Not prepared: each query has other columns.
        await send(`declare pages cursor for ${text}`);
        for (;;) {
          const { rows } = await send(`fetch ${PAGE} from pages`);
          yield rows as Row[];
          if (rows.length < PAGE) break;
        }
        await send('close pages');
      },
    });
  } finally {
    client.release(true);
  }
}

function migrate(connections: Connections, place: string): Promise<void> {
  return connections.use(async (client) => {
    const found = await versionOf(client, place);
    if (found === schemaVersion) return;
    await requireOwner(client, found, place);
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const version = await versionOf(client, place);
    for (const statement of migrationsAfter(version, 'postgres')) await client.query(statement);
    await client.query('create table if not exists fermata_version (version integer not null)');
    await client.query('delete from fermata_version');
    await client.query('insert into fermata_version values ($1)', [schemaVersion]);
    await client.query('commit');
  });
}

/** Its version, 0 for an empty database. Refuses what this program does not understand. */
async function versionOf(client: PoolClient, place: string): Promise<number> {
  // Reading pg_class makes the server forget what it knew about missing tables before another process created them.
  const { rows } = await client.query(
    "select to_regclass('fermata_version') is not null as ours, to_regclass('fermata_schema') is not null as earlier from pg_class limit 1",
  );
  if (!rows[0].ours) return supported(rows[0].earlier ? 1 : 0, false, place);
  const { rows: versions } = await client.query('select version from fermata_version');
  return supported(versions[0].version, true, place);
}

/** Throws if this role cannot create or change the tables, and says who can. */
async function requireOwner(client: PoolClient, version: number, place: string): Promise<void> {
  const { rows } = await client.query(
    `select coalesce((${IS_OWNER}), has_schema_privilege(current_schema(), 'CREATE'), false) as may, current_user as me`,
  );
  const [{ may, me }] = rows;
  if (may) return;
  const state =
    version === 0 ? 'has no tables yet' : `has version ${version}, and this Fermata needs ${schemaVersion}`;
  throw new FermataError(
    'forbidden',
    `The ledger at ${place} ${state}, but the role "${me}" may not change that. ${ASK_OWNER}`,
  );
}

/** The server's commit waits for its disk. */
const alreadyDurable = () => Promise.resolve();
