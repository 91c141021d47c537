import { limits } from '../../schema/limits.ts';
import type { SqlRunner } from '../engine/store.ts';
import type { LockedProject } from './project-sql.ts';

/** A clock that is corrected by less does no harm. */
const MAX_STEP_MS = 60_000;

/** No lease lasts that long: the clock was ahead when it was given, which the next write to its project corrects. */
export const isFromWrongClock = (leaseUntil: number | null, now: number): boolean =>
  leaseUntil !== null && leaseUntil > now + limits.leaseSeconds * 1000;

/**
 * Corrects what ends at a time (leases, deadlines) in the project of a transaction if the store's clock was set. It compares
 * that clock with the time of the last event, and with one that nobody can set.
 */
export function watchClock() {
  let seen: { now: number; steady: number } | undefined;
  let jump: { ahead: number; now: number } | undefined;

  return async (runner: SqlRunner, project: LockedProject): Promise<void> => {
    const { id, now, lastAt } = project;
    const steady = performance.now();
    if (seen) {
      const ahead = now - seen.now - (steady - seen.steady);
      if (ahead > MAX_STEP_MS) jump = { ahead, now };
    }
    seen = { now, steady };
    if (jump && Math.abs(now - jump.now) > MAX_STEP_MS) jump = undefined;
    if (jump) await extend(runner, id, jump);
    if (lastAt !== null && lastAt - now > MAX_STEP_MS) await setBack(runner, id, now, lastAt);
  };
}

/**
 * The clock is ahead of what it was, so leases and deadlines seem to have ended. Holders get the time to renew their leases, and
 * people that to answer.
 */
async function extend(
  runner: SqlRunner,
  projectId: string,
  { ahead, now }: { ahead: number; now: number },
): Promise<void> {
  for (const [table, column] of [
    ['tasks', 'lease_until'],
    ['runs', 'lease_until'],
    ['open_questions', 'deadline_at'],
  ])
    await runner.sql(
      `update ${table} set ${column} = ${column} + ? where project_id = ? and ${column} > ? and ${column} <= ?`,
      Math.ceil(ahead),
      projectId,
      Math.floor(now - ahead),
      now,
    );
}

/**
 * The clock was ahead when the last event happened. What ends by that clock would last that much longer, so it ends earlier by
 * the difference. What was begun before the clock was wrong ends before the last event.
 */
async function setBack(runner: SqlRunner, projectId: string, now: number, lastAt: number): Promise<void> {
  const ahead = lastAt - now;
  for (const table of ['tasks', 'runs'])
    await runner.sql(
      `update ${table} set lease_until = lease_until - ? where project_id = ? and lease_until > ?`,
      ahead,
      projectId,
      lastAt,
    );
  await runner.sql(
    `update open_questions set deadline_at = deadline_at - ?
     where project_id = ? and status = 'open' and deadline_at > ? and created_at > ?`,
    ahead,
    projectId,
    lastAt,
    now,
  );
}
