import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import type { Tx } from '../engine/store.ts';
import { countOpenOf } from './notification-sql.ts';

/** An answer has to come first; this is when to try again. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Whether an agent's next question goes after everybody else's, because the agent has many open. Throws if it has more
 * open than anybody will answer.
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
