import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, startPostgres } from '../../test/support/postgres.ts';
import { type Figure, judge, table } from './budget.ts';

/**
 * Measures on a new ledger of each kind and prints the figures side by side. SQLite's must meet the budgets,
 * and so must others that say so.
 */
export async function onBothStores(
  measure: (name: string, store: string, dir: string) => Promise<Figure[]>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-bench-'));
  const postgres = await newDatabase();
  try {
    const columns = {
      SQLite: await measure('SQLite', join(dir, 'ledger.db'), dir),
      PostgreSQL: await measure('PostgreSQL', postgres.place, dir),
    };
    console.log(table(columns));
    judge([...columns.SQLite, ...columns.PostgreSQL.filter(({ onEveryStore }) => onEveryStore)]);
  } finally {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A new database on a PostgreSQL of its own, or on the server that FERMATA_TEST_POSTGRES names. */
export async function newDatabase(): Promise<{ place: string; stop(): Promise<void> }> {
  const given = process.env.FERMATA_TEST_POSTGRES;
  if (given) return { place: await createDatabase(given), stop: async () => undefined };
  const server = await startPostgres();
  return { place: await server.createDatabase(), stop: server.stop };
}
