import type { SqlRunner } from '../engine/store.ts';

/** Keeps the first value that anybody gives under a name. */
export async function insertHubKey(runner: SqlRunner, name: string, value: string): Promise<void> {
  await runner.sql('insert into hub_keys (name, value) values (?, ?) on conflict do nothing', name, value);
}

export async function selectHubKey(runner: SqlRunner, name: string): Promise<string | undefined> {
  const [row] = await runner.sql<{ value: string }>('select value from hub_keys where name = ?', name);
  return row?.value;
}
