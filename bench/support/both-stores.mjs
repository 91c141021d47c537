import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOver, table } from './budget.mjs';
import { startPostgres } from './postgres.mjs';

/**
 * Measures on a new ledger of each kind and prints the figures side by side. SQLite's must meet the budgets,
 * and so must others that say so; with `--report-only` nothing fails.
 * @param {(name: string, store: string, dir: string) => Promise<import('./budget.mjs').Figure[]>} measure
 */
export async function onBothStores(measure) {
  const dir = mkdtempSync(join(tmpdir(), 'fermata-bench-'));
  const postgres = await startPostgres();
  try {
    const columns = {
      SQLite: await measure('SQLite', join(dir, 'ledger.db'), dir),
      PostgreSQL: await measure('PostgreSQL', postgres.place, dir),
    };
    console.log(table(columns));
    const judged = [...columns.SQLite, ...columns.PostgreSQL.filter(({ onEveryStore }) => onEveryStore)];
    process.exitCode = judged.some(isOver) && !process.argv.includes('--report-only') ? 1 : 0;
  } finally {
    await postgres.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
