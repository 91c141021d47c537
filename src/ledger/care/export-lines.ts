import { schemaVersion } from '../engine/migrations.ts';
import type { Store } from '../engine/store.ts';
import { countRows, type KeptTable, rowsOf, tableNames } from './kept-tables.ts';
import type { CareOptions } from './progress.ts';

export const FORMAT = 'fermata-ledger';

/** The first line of an export. */
export interface ExportHead {
  format: typeof FORMAT;
  version: number;
  /** How many rows follow, to notice if the end is missing. */
  rows: Record<KeptTable, number>;
}

/** Each other line. */
export interface ExportedRow {
  table: KeptTable;
  row: Record<string, unknown>;
}

/**
 * Writes the ledger as it is at one moment, as JSON Lines; returns how many rows it has. The same rows give the same bytes
 * from both stores.
 */
export function exportLines(
  store: Store,
  write: (lines: string[]) => Promise<void>,
  { signal, onProgress }: CareOptions = {},
): Promise<number> {
  return store.snapshot(async (snapshot) => {
    const rows = await countRows(snapshot);
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
    await write([JSON.stringify({ format: FORMAT, version: schemaVersion, rows } satisfies ExportHead)]);
    let done = 0;
    for (const table of tableNames) {
      for await (const page of rowsOf(snapshot, table)) {
        signal?.throwIfAborted();
        if (page.length === 0) continue;
        await write(page.map((row) => JSON.stringify({ table, row: portable(table, row) })));
        done += page.length;
        onProgress?.(done, total);
      }
    }
    return total;
  });
}

/** Jobs belong to one store: after an import, workers are told about ready tasks again. */
const portable = (table: KeptTable, row: ExportedRow['row']) =>
  table === 'tasks' ? { ...row, queued: 0 } : row;
