import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { freshDatabase } from '../../support/fresh-database.ts';
import type { FreshStore } from './test-store.ts';

/** A PostgreSQL ledger in a new database. */
export async function freshServer(): Promise<FreshStore> {
  const place = await freshDatabase();
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
      await drop(new URL(place).pathname.slice(1));
    },
  };
}

/** Fails if anybody is connected. */
async function drop(database: string): Promise<void> {
  const postgres = inject('postgres');
  if ('missing' in postgres) return;
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await client.query(`drop database ${database}`);
  } finally {
    await client.end();
  }
}
