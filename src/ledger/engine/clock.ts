import type { SqlRunner } from './store.ts';

/** The store's clock. Clocks of machines differ, and all of them compare with stored times. */
export async function selectNow(runner: SqlRunner): Promise<number> {
  const [row] = await runner.sql<{ now: number }>(
    runner.dialect === 'sqlite'
      ? "select cast(unixepoch('subsec') * 1000 as integer) as now"
      : 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now',
  );
  return row?.now ?? Date.now();
}
