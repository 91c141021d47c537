import { FermataError } from '../../schema/error.ts';
import type { Task } from '../../schema/task.ts';
import type { Caller } from '../auth/caller.ts';

/** An agent speaks for the task that it holds; for one that it took in another name it needs the number of that claim. */
export function requireHolder(
  { role, name }: Caller,
  { id, status, assignee, blockReason }: Task,
  fence: number | undefined,
): void {
  if (role === 'human') return;
  if (status !== 'in_progress') {
    const why = blockReason === null ? status : `${status} (${blockReason})`;
    throw new FermataError('forbidden', `Task ${id} is ${why}: an agent changes only what it has claimed.`);
  }
  if (fence !== undefined || assignee === name) return;
  throw new FermataError('forbidden', `Task ${id} is held by ${assignee}: give the "fence" of the claim.`);
}
