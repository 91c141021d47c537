import type { SqlRunner } from './store.ts';

/** Keeps the first value that anybody gives under a name. */
export async function insertHubKey(session: SqlRunner, name: string, value: string): Promise<void> {
  await session.sql('insert into hub_keys (name, value) values (?, ?) on conflict do nothing', name, value);
}

export async function selectHubKey(session: SqlRunner, name: string): Promise<string | undefined> {
  const [row] = await session.sql<{ value: string }>('select value from hub_keys where name = ?', name);
  return row?.value;
}
