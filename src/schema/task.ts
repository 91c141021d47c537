import * as z from 'zod';
import { By } from './actor.ts';
import { limits } from './limits.ts';
import { nameOf } from './name.ts';
import { taskKinds, taskStatuses } from './task-status.ts';

export const TaskStatus = z.enum(taskStatuses);
export type TaskStatus = z.infer<typeof TaskStatus>;

export const TaskKind = z.enum(taskKinds);
export type TaskKind = z.infer<typeof TaskKind>;

export { isAsking, NOT_IN_PLAN, OPEN_QUESTION, WITHDRAWN } from './block-reason.ts';

export const Task = z.object({
  id: z.string(),
  projectId: z.string(),
  kind: TaskKind,
  title: z.string(),
  body: z.string(),
  status: TaskStatus,
  assignee: z.string().nullable(),
  /** The agent that claimed it, in its own name or in that of the assignee. */
  claimedBy: z.string().nullable(),
  blockReason: z.string().nullable(),
  dependsOn: z.array(z.string()),
  /** 0 is taken first, 4 last. */
  priority: z.number().int(),
  position: z.number().int(),
  /** Nobody takes it until a person resumes it. */
  paused: z.boolean(),
  /** The abilities that a worker needs to take it; null: workers leave it alone. */
  needs: z.array(z.string()).nullable(),
  /** Why no worker takes it, such as "waits for a worker with codex"; only if a single task is read. */
  workerWait: z.string().optional(),
  /** Goes up with each claim; a write with an older number is refused. */
  fence: z.number().int(),
  leaseUntil: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  closedAt: z.string().nullable(),
});
export type Task = z.infer<typeof Task>;

/**
 * How many tasks are in each state, without those whose phase was removed from the plan. `asking` counts the blocked
 * ones that only wait for an answer.
 */
export type Standing = Record<TaskStatus | 'asking', number>;

export const TaskInput = z.strictObject({
  projectId: z.string(),
  id: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._:/-]*$/,
      'an id starts with a letter or digit and has only letters, digits and . _ : / -',
    )
    .max(limits.id)
    .optional(),
  title: z.string().trim().min(1).max(limits.taskTitle),
  body: z.string().max(limits.taskBody).optional(),
  priority: z.number().int().min(0).max(4).optional(),
  dependsOn: z.array(z.string()).max(10_000).optional(),
});
export type TaskInput = z.infer<typeof TaskInput>;

/** What a person may change in a task; fields that are left out stay. */
export const TaskEdit = TaskInput.pick({ title: true, body: true, priority: true }).partial();
export type TaskEdit = z.infer<typeof TaskEdit>;

/** Who takes a task, and for how long without a heartbeat: as long as an agent may work between two commands. */
export const Claim = z.strictObject({
  worker: nameOf(limits.id),
  leaseSeconds: z.number().positive().max(limits.leaseSeconds),
});
export type Claim = z.infer<typeof Claim>;

export const ChatMessage = z.object({
  id: z.number().int(),
  taskId: z.string(),
  at: z.string(),
  by: By,
  text: z.string(),
  notificationId: z.string().nullable(),
  /**
   * Whether the agent of the task has it: it can no longer lose it, and its model has gone on with it. Null if it is not
   * for an agent: an answer, a result, or what an agent said itself.
   */
  delivery: z.enum(['queued', 'delivered', 'read']).nullable(),
  /** It ends the agent's turn instead of waiting for it. */
  interrupts: z.boolean(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;
