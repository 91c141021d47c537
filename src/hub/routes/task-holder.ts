import * as z from 'zod';
import { FermataError } from '../../schema/error.ts';
import { TaskProgress } from '../../schema/plan-run.ts';
import { Task } from '../../schema/task.ts';
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

/** A task as the API returns it: its reason also has the name that older programs expect. */
export const TaskView = Task.extend({
  fence: Task.shape.fence.optional().describe('An agent sees only the fence of its own claim.'),
  block_reason: z.string().nullable(),
  work: TaskProgress.optional().describe('How far the work is; only if a single task is read.'),
  result: z.unknown().optional().describe('What came of it; only if a single task is read.'),
});
export type TaskView = z.infer<typeof TaskView>;

/** Only the claimant sees the fence of a claim, because an agent that has it could overwrite another's work. */
export function taskView(caller: Caller, task: Task): TaskView {
  const { fence, ...rest } = task;
  const view = { ...rest, block_reason: task.blockReason };
  return isHolder(caller, task) ? { ...view, fence } : view;
}
