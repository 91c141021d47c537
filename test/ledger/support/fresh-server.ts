import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { roleNames } from '../../../src/ledger/engine/roles.ts';
import { freshDatabase } from '../../support/fresh-database.ts';
import { query, rolePlaces } from './role-places.ts';
import type { FreshStore } from './test-store.ts';

/** A PostgreSQL ledger in a new database. */
export async function freshServer(): Promise<FreshStore> {
  return serverAt(await freshDatabase(), drop);
}

/** The same as its hub uses it, with a role for workers. */
export async function sharedServer(): Promise<FreshStore> {
  const { admin, hub, worker } = await rolePlaces();
  const server = await serverAt(admin, async (place) => {
    await drop(place);
    const { hub, worker, reader } = roleNames(nameOf(place)) ?? {};
    await query(postgresUrl(), `drop role ${nameOf(place)}_owner, ${hub}, ${worker}, ${reader}`);
  });
  return { ...server, place: hub, workerPlace: worker };
}

/** Databases that earlier test files of this process have left, without rows. */
const spare: string[] = [];

/** A PostgreSQL ledger without rows. Creating and removing a database takes 0.15 s of CPU time, so it is used again. */
export async function emptyServer(): Promise<FreshStore> {
  return serverAt(spare.pop() ?? (await notWaitingForDisk(await freshDatabase())), async (place) => {
    if (await emptied(place)) spare.push(place);
    else await drop(place);
  });
}

async function serverAt(place: string, remove: (place: string) => Promise<void>): Promise<FreshStore> {
  const client = new pg.Client({ connectionString: place });
  await client.connect();
  const sql = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> => {
    let n = 0;
    return (
      await client.query(
        text.replace(/\?/g, () => `$${++n}`),
        values,
      )
    ).rows;
  };
  const others = () =>
    sql<{ query: string }>(
      'select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  return {
    place,
    sql: (text, ...values) =>
      values.length === 0 ? client.query(text).then((r) => r.rows) : sql(text, ...values),
    failure: (table, operation) => ({
      begin: `create function injected() returns trigger language plpgsql as $$ begin raise exception 'injected'; end $$;
        create trigger injected before ${operation} on ${table} for each row execute function injected()`,
      end: 'drop function injected cascade',
    }),
    /** A server process ends a moment after its client; one that does not within 2 s belongs to a leak. */
    async leftovers() {
      for (let tries = 0; tries < 100; tries++) {
        if ((await others()).length === 0) return [];
        await sleep(20);
      }
      return (await others()).map(({ query }) => `a connection, last query: ${query}`);
    },
    async remove() {
      await client.end();
      await remove(place);
    },
  };
}

/** Nobody cuts the power in these tests, so a commit need not wait for the disk. */
async function notWaitingForDisk(place: string): Promise<string> {
  await withClient(place, (client) =>
    client.query(`alter database ${nameOf(place)} set synchronous_commit = off`),
  );
  return place;
}

/** Deletes all rows, those that refer to others first; false if there are tables of another schema, as pg-boss creates them. */
function emptied(place: string): Promise<boolean> {
  return withClient(place, async (client) => {
    const { rows } = await client.query<{ schema: string; name: string }>(
      `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema') order by c.oid desc`,
    );
    if (rows.some(({ schema }) => schema !== 'public')) return false;
    const filled = rows.filter(({ name }) => name !== 'fermata_version');
    await client.query(filled.map(({ name }) => `delete from ${name}`).join('; '));
    return true;
  });
}

/** Fails if anybody is connected. */
async function drop(place: string): Promise<void> {
  await query(postgresUrl(), `drop database ${nameOf(place)}`);
}

function postgresUrl(): string {
  const postgres = inject('postgres');
  if ('missing' in postgres) throw new Error(postgres.missing);
  return postgres.url;
}

const nameOf = (place: string) => new URL(place).pathname.slice(1);

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
