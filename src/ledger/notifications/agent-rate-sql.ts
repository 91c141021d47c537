import type { Tx } from '../engine/store.ts';

export async function selectUsedUntil(tx: Tx, agent: string, deed: string): Promise<number | undefined> {
  const [row] = await tx.sql<{ used_until: number }>(
    'select used_until from agent_rates where project_id = ? and agent = ? and deed = ?',
    tx.projectId,
    agent,
    deed,
  );
  return row?.used_until;
}

export async function upsertUsedUntil(tx: Tx, agent: string, deed: string, usedUntil: number): Promise<void> {
  await tx.sql(
    `insert into agent_rates (project_id, agent, deed, used_until) values (?, ?, ?, ?)
     on conflict (project_id, agent, deed) do update set used_until = excluded.used_until`,
    tx.projectId,
    agent,
    deed,
    Math.ceil(usedUntil),
  );
}
