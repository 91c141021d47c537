import type { By, Channel } from '../schema/actor.ts';
import { FermataError } from '../schema/error.ts';
import { limits } from '../schema/limits.ts';
import { countOpen } from './store/notifications.ts';
import type { Tx } from './store/store.ts';

/** How agents come that we did not start: nothing keeps them from asking on and on without an answer. */
const OUTSIDE: readonly Channel[] = ['rest', 'mcp'];

/** Refuses one more question of an agent that has more open than anybody will answer. */
export async function refuseTooManyOpen(tx: Tx, by: By): Promise<void> {
  if (by.actor.kind !== 'agent' || !OUTSIDE.includes(by.channel)) return;
  const most = limits.openPerAgent;
  // Whose they are lies in the rows themselves, and is looked up only where there are that many at all.
  if ((await countOpen(tx, most)) < most || (await countOpen(tx, most, JSON.stringify(by))) < most) return;
  throw new FermataError(
    'busy',
    `${by.actor.name} has ${most} questions open in this project, which is the most. Wait until a person has answered some, or withdraw those that are no longer needed.`,
  );
}
