import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import { type AgentAction, limits } from '../../schema/limits.ts';
import type { Tx } from '../engine/store.ts';
import { countOpenOf } from './notification-sql.ts';

const MINUTE_MS = 60_000;

/**
 * Counts one more action of an agent on any channel; throws if the agent exceeds its rate. People have no rate. The row is
 * per project, because two transactions could deadlock over a row of all projects.
 */
export async function countForAgent(tx: Tx, by: By, action: AgentAction): Promise<void> {
  const { actor, channel } = by;
  if (actor.kind !== 'agent') return;
  const agent = JSON.stringify({ actor, channel });
  const most = limits.perAgentAndMinute[action];
  const next = spend(await selectUsedUntil(tx, agent, action), most, tx.now);
  if ('usedUntil' in next) {
    await upsertUsedUntil(tx, agent, action, next.usedUntil);
    return;
  }
  throw new FermataError(
    'rate_limited',
    `${actor.name} has reached the limit of ${most} ${words[action]} per minute. Try again in ${next.retryAfter} s.`,
    { details: next },
  );
}

/**
 * Each action uses its share of a minute, and at most a minute may be used in advance, so a burst of `most` is possible
 * and then `most` per minute. If there is no room, returns the seconds until there is. If far more than a minute is used, the
 * clock was set back.
 */
export function spend(
  usedUntil: number | undefined,
  most: number,
  now: number,
): { usedUntil: number } | { retryAfter: number } {
  const isPossible = usedUntil !== undefined && usedUntil <= now + 2 * MINUTE_MS;
  const next = Math.max(isPossible ? usedUntil : now, now) + MINUTE_MS / most;
  const excess = next - now - MINUTE_MS;
  return excess <= 0 ? { usedUntil: next } : { retryAfter: Math.ceil(excess / 1000) };
}

const words: Record<AgentAction, string> = {
  question: 'questions',
  notice: 'notices',
  task: 'tasks',
  chat: 'messages',
  change: 'changes to tasks',
};

async function selectUsedUntil(tx: Tx, agent: string, deed: string): Promise<number | undefined> {
  const [row] = await tx.sql<{ used_until: number }>(
    'select used_until from agent_rates where project_id = ? and agent = ? and deed = ?',
    tx.projectId,
    agent,
    deed,
  );
  return row?.used_until;
}

async function upsertUsedUntil(tx: Tx, agent: string, deed: string, usedUntil: number): Promise<void> {
  await tx.sql(
    `insert into agent_rates (project_id, agent, deed, used_until) values (?, ?, ?, ?)
     on conflict (project_id, agent, deed) do update set used_until = excluded.used_until`,
    tx.projectId,
    agent,
    deed,
    Math.ceil(usedUntil),
  );
}

/** An answer has to come first; this is when to try again. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Whether an agent's next question goes after everybody else's, because the agent has many open. Throws if it has more
 * open than anybody will answer. Stored once and not computed as a rank, because ranks change while a person pages through
 * the list.
 */
export async function isOverflow(tx: Tx, by: By): Promise<boolean> {
  if (by.actor.kind !== 'agent') return false;
  const most = limits.openPerAgent;
  const open = await countOpenOf(tx, JSON.stringify(by), most);
  if (open < most) return open >= limits.openBeforeOverflow;
  throw new FermataError(
    'rate_limited',
    `${by.actor.name} has ${most} open questions in this project, which is the limit. Wait until a person answers some, or withdraw those you no longer need.`,
    { details: { retryAfter: RETRY_AFTER_SECONDS } },
  );
}
