import { DatabaseSync } from '@photostructure/sqlite';

const MINUTE_MS = 60_000;

/**
 * Makes the steps of all projects happen in the order of their times. The ledger records the current time, so after each
 * step everything in it is moved into the past, by the time until the next step.
 * @param {{ minutesAgo: number, happen: () => Promise<unknown> }[]} steps
 * @param {string} store the ledger's file
 */
export async function tellStory(steps, store) {
  const database = new DatabaseSync(store);
  try {
    const columns = timeColumns(database);
    const ordered = steps.toSorted((a, b) => b.minutesAgo - a.minutesAgo);
    for (const [index, { minutesAgo, happen }] of ordered.entries()) {
      await happen();
      const next = ordered[index + 1]?.minutesAgo ?? 0;
      for (const { table, column } of columns)
        database.exec(`update "${table}" set "${column}" = "${column}" - ${(minutesAgo - next) * MINUTE_MS}`);
    }
  } finally {
    database.close();
  }
}

/** Leases keep their ends, because they are about the process that holds them now. */
function timeColumns(database) {
  return database
    .prepare(
      `select tables.name as "table", columns.name as "column"
        from sqlite_master as tables, pragma_table_info(tables.name) as columns
        where tables.type = 'table' and (columns.name = 'at' or columns.name like '%\\_at' escape '\\')`,
    )
    .all();
}
