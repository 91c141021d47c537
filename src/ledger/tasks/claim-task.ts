import type { By } from '../../schema/actor.ts';
import type { Claim, Task } from '../../schema/task.ts';
import type { Tx } from '../engine/store.ts';
import type { TaskRow } from '../engine/tables.ts';
import { changeTask } from './change-task.ts';
import { selectHeld } from './task-sql.ts';
import { view } from './task-view.ts';

/** Releases the tasks whose worker is gone, judged by its lease or by `isDead`. */
export async function releaseAbandoned(tx: Tx, isDead: (worker: string) => boolean, by: By): Promise<void> {
  for (const held of await selectHeld(tx)) {
    const dead = held.assignee !== null && isDead(held.assignee) ? held.assignee : undefined;
    await changeTask(tx, held, { kind: 'reclaim', now: tx.now, dead }, by);
  }
}

export const leaseEnd = (tx: Tx, seconds: number) => Math.ceil(tx.now + seconds * 1000);

/** Claims a task for a worker until the lease ends. */
export async function take(tx: Tx, row: TaskRow, claim: Claim, by: By): Promise<Task> {
  const leaseUntil = leaseEnd(tx, claim.leaseSeconds);
  const { unfinished } = row;
  const agent = by.actor.kind === 'agent' ? by.actor.name : null;
  const { worker } = claim;
  const command = { kind: 'claim' as const, worker, agent, leaseUntil, now: tx.now, unfinished };
  return view(tx, (await changeTask(tx, row, command, by)) ?? row);
}
