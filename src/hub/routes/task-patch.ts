import * as z from 'zod';
import type { Ledger } from '../../ledger/ledger.ts';
import type { TaskService } from '../../ledger/tasks/task-service.ts';
import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import { limits } from '../../schema/limits.ts';
import { Reason } from '../../schema/notification.ts';
import { Claim, type Task, TaskEdit, TaskStatus } from '../../schema/task.ts';
import { closeTask } from '../../work/phases/close-task.ts';
import { type Caller, requirePerson } from '../auth/caller.ts';
import { requireClaim, requireHolder } from './task-holder.ts';

/** At most an hour: a program that works longer sends heartbeats, and one that is gone soon frees its task. */
export const RemoteLease = Claim.shape.leaseSeconds.max(3600);

/** A change of a task. `block_reason` is an alias of `blockReason`. */
export const TaskPatch = z.strictObject({
  ...TaskEdit.shape,
  status: TaskStatus.optional().describe(
    '`in_progress` needs the assignee that claims the task, or the fence to renew the claim.',
  ),
  blockReason: Reason.nullish(),
  block_reason: Reason.nullish(),
  assignee: z
    .union([Claim.shape.worker, z.literal('').transform(() => null)])
    .nullish()
    .describe('Claims an open task for this worker, as claim does; null or "" releases it.'),
  dependsOn: z
    .array(z.string().max(limits.id))
    .max(100)
    .optional()
    .describe('More tasks that it depends on.'),
  fence: z.number().int().optional().describe('The number of the claim; required for agents.'),
  leaseSeconds: RemoteLease.optional().describe('With `in_progress`: the lease in seconds. Default: 120.'),
});
type TaskPatch = z.infer<typeof TaskPatch>;

/** Long enough for a late heartbeat, short enough that a dead worker's task is soon free. */
export const REMOTE_LEASE_SECONDS = 120;

interface TaskKey {
  projectId: string;
  id: string;
}

export async function patchTask(
  ledger: Ledger,
  { projectId, id }: TaskKey,
  patch: TaskPatch,
  caller: Caller,
  by: By,
): Promise<Task> {
  const { tasks } = ledger;
  const { status, dependsOn, fence, title, body, priority, leaseSeconds = REMOTE_LEASE_SECONDS } = patch;
  const reason = patch.blockReason ?? patch.block_reason;
  refuseUnclear(patch, reason);
  if (isEdit(patch)) return tasks.edit(projectId, id, { title, body, priority }, by);
  const isState = (status !== undefined && status !== 'in_progress') || patch.assignee === null;
  const isOfHolder = isState || dependsOn !== undefined;
  if (caller.role === 'agent' && isOfHolder && fence === undefined) {
    throw new FermataError(
      'invalid',
      'An agent may change only a task that it has claimed. Send the "fence" of the claim.',
    );
  }
  if (isOfHolder) requireHolder(caller, await tasks.get(projectId, id));
  if (dependsOn !== undefined) {
    await tasks.requireClaim(projectId, id, fence);
    return tasks.depend(projectId, id, dependsOn, by);
  }
  if (status === 'blocked') return tasks.block(projectId, id, reason ?? 'Blocked', by, fence);
  if (status === 'closed') return closeTask(ledger, projectId, id, by, fence);
  if (status === 'open' || patch.assignee === null) return free(tasks, { projectId, id }, caller, by, fence);
  if (typeof patch.assignee === 'string') {
    return tasks.claim(projectId, id, { worker: patch.assignee, leaseSeconds }, by);
  }
  if (fence === undefined) return tasks.get(projectId, id);
  // Also for a task that waits for an answer, because it keeps its holder and its claim.
  requireClaim(caller, await tasks.get(projectId, id));
  return tasks.heartbeat(projectId, id, fence, leaseSeconds, by);
}

/** Reopens the task, whether it is blocked, closed or held by a worker. */
async function free(
  tasks: TaskService,
  { projectId, id }: TaskKey,
  caller: Caller,
  by: By,
  fence?: number,
): Promise<Task> {
  const task = await tasks.get(projectId, id);
  switch (task.status) {
    case 'open':
      return task;
    case 'blocked':
      return tasks.unblock(projectId, id, by);
    case 'closed':
      requirePerson(caller);
      return tasks.reopen(projectId, id, by);
    case 'in_progress':
      return tasks.release(projectId, id, fence ?? task.fence, by);
    default: {
      const never: never = task.status;
      return never;
    }
  }
}

const isEdit = ({ title, body, priority }: TaskPatch) =>
  title !== undefined || body !== undefined || priority !== undefined;

function refuseUnclear(patch: TaskPatch, reason: string | null | undefined): void {
  const { status, assignee, dependsOn, fence, leaseSeconds } = patch;
  if (typeof reason === 'string' && status !== 'blocked') {
    throw new FermataError('invalid', 'A reason needs "status": "blocked". Send both.');
  }
  const isHeld = typeof assignee === 'string' || (status === 'in_progress' && fence !== undefined);
  if (status === 'in_progress' && !isHeld) {
    throw new FermataError(
      'invalid',
      'To set a task in progress, send the "assignee" that claims it, or the "fence" to renew the claim.',
    );
  }
  if (leaseSeconds !== undefined && !isHeld)
    throw new FermataError('invalid', '"leaseSeconds" is only for claiming a task or renewing a claim.');
  const changes = [status ?? assignee, dependsOn, isEdit(patch) || undefined];
  const given = changes.filter((change) => change !== undefined).length;
  if (given > 1) {
    throw new FermataError(
      'invalid',
      'Change the text of a task, its dependencies and its state in separate requests.',
    );
  }
  if (given === 0) {
    throw new FermataError(
      'invalid',
      'There is nothing to change. Send "status", "assignee", "dependsOn", "title", "body" or "priority".',
    );
  }
}
