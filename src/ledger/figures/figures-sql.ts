import { REJECTED_PUSH } from '../../schema/block-reason.ts';
import type { SqlRunner } from '../engine/store.ts';

/** How many questions wait for a person, and when the oldest of them was asked. */
export async function selectOpen(session: SqlRunner): Promise<{ count: number; oldest: number | null }> {
  const [row] = await session.sql<{ count: number; oldest: number | null }>(
    "select count(*) as count, min(created_at) as oldest from open_questions where status = 'open'",
  );
  return { count: Number(row?.count ?? 0), oldest: row?.oldest == null ? null : Number(row.oldest) };
}

/**
 * How long the questions asked since then waited for their answer, newest first. Uses the index on status, whose second
 * column only has the values 0 and 1.
 */
export async function selectWaits(session: SqlRunner, since: number, most: number): Promise<number[]> {
  const rows = await session.sql<{ waited: number }>(
    `select resolved_at - created_at as waited from open_questions
     where status in ('answered', 'delivered') and overflow in (0, 1) and created_at > ? and resolved_at is not null
     order by created_at desc limit ?`,
    since,
    most,
  );
  return rows.map(({ waited }) => Number(waited));
}

/** The tasks that could start now, counted up to `most`. */
export async function countReady(session: SqlRunner, most: number): Promise<number> {
  const [row] = await session.sql<{ count: number }>(
    `select count(*) as count from (select 1 from tasks
     where status = 'open' and unfinished = 0 and assignee is null limit ?) as counted`,
    most,
  );
  return Number(row?.count ?? 0);
}

/** Claimed tasks, by whether the lease is still valid. */
export async function countLeases(
  session: SqlRunner,
  now: number,
): Promise<{ held: number; expired: number }> {
  const [row] = await session.sql<{ held: number | null; expired: number | null }>(
    `select sum(case when lease_until > ? then 1 else 0 end) as held,
            sum(case when lease_until <= ? then 1 else 0 end) as expired
     from tasks where status = 'in_progress' and lease_until is not null`,
    now,
    now,
  );
  return { held: Number(row?.held ?? 0), expired: Number(row?.expired ?? 0) };
}

/** The tasks that stopped because their remote refused a push. */
export async function countRejectedPushes(session: SqlRunner): Promise<number> {
  const [row] = await session.sql<{ count: number }>(
    "select count(*) as count from tasks where status = 'blocked' and block_reason like ?",
    `%${REJECTED_PUSH}%`,
  );
  return Number(row?.count ?? 0);
}

/** The agents that have not ended, by program and by state. */
export async function countAgents(
  session: SqlRunner,
): Promise<{ agent: string; status: string; count: number }[]> {
  const rows = await session.sql<{ agent: string; status: string; count: number }>(
    `select agent, status, count(*) as count from runs where status <> 'ended'
     group by agent, status order by agent, status`,
  );
  return rows.map(({ agent, status, count }) => ({ agent, status, count: Number(count) }));
}
