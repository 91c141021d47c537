import { FermataError } from '../../schema/error.ts';
import type { Task } from '../../schema/task.ts';
import type { Caller } from '../auth/caller.ts';

/** An agent changes only what it has claimed. */
export function requireHolder(caller: Caller, task: Task, fence: number | undefined): void {
  if (caller.role === 'human') return;
  const { id, status, blockReason } = task;
  if (status !== 'in_progress') {
    const why = blockReason === null ? status : `${status} (${blockReason})`;
    throw new FermataError('forbidden', `Task ${id} is ${why}: an agent changes only what it has claimed.`);
  }
  refuseForeignClaim(caller, task, fence);
}

/** What another holds is not an agent's to touch; for what it took in another name it gives the number of that claim. */
export function refuseForeignClaim(
  { role, name }: Caller,
  { id, status, assignee }: Task,
  fence: number | undefined,
): void {
  if (role === 'human' || status !== 'in_progress' || assignee === name || fence !== undefined) return;
  throw new FermataError('forbidden', `Task ${id} is held by ${assignee}: give the "fence" of the claim.`);
}
