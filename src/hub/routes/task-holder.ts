import { FermataError } from '../../schema/error.ts';
import type { Task } from '../../schema/task.ts';
import type { Caller } from '../auth/caller.ts';

/** Whether the caller holds it: claimed in their name, or by them in another's name. People may do everything. */
export function isHolder({ role, name }: Caller, { assignee, claimedBy }: Task): boolean {
  return role === 'human' || assignee === name || claimedBy === name;
}

/** An agent changes only what it has claimed. */
export function requireHolder(caller: Caller, task: Task): void {
  if (caller.role === 'human') return;
  const { id, status, blockReason } = task;
  if (status !== 'in_progress') {
    const why = blockReason === null ? status : `${status} (${blockReason})`;
    throw new FermataError(
      'forbidden',
      `Task ${id} is ${why}. An agent may change only tasks that it has claimed.`,
    );
  }
  requireClaim(caller, task);
}

/** An agent must not touch what another holds. */
export function refuseForeignClaim(caller: Caller, task: Task): void {
  if (task.status === 'in_progress') requireClaim(caller, task);
}

export function requireClaim(caller: Caller, task: Task): void {
  if (isHolder(caller, task)) return;
  throw new FermataError('forbidden', `Task ${task.id} is held by ${task.assignee ?? 'nobody'}, not by you.`);
}
