import { hasFailed, isAsking, NOT_IN_PLAN, WITHDRAWN } from './block-reason.ts';
import type { Notification } from './notification.ts';
import type { Task } from './task.ts';

/** What a task is doing, in the words of every surface; in the order in which a person wants to see them. */
export const taskStates = [
  'waiting for you',
  'waiting for a gate',
  'working',
  'failed',
  'blocked',
  'paused',
  'stopped',
  'not started',
  'done',
] as const;
export type TaskState = (typeof taskStates)[number];

type Stored = Pick<Task, 'status' | 'blockReason' | 'paused' | 'fence' | 'leaseUntil'>;
type Asked = Pick<Notification, 'kind' | 'gate'>;

/** `asked`: the open notifications that hold it. A task without a live lease is never "working". */
export function stateOf(task: Stored, asked: readonly Asked[] = [], now = Date.now()): TaskState {
  const { status, blockReason, paused, fence, leaseUntil } = task;
  if (status === 'closed') return 'done';
  if (asked.some(({ kind }) => kind !== 'gate' && kind !== 'notice')) return 'waiting for you';
  if (asked.some(({ kind }) => kind === 'gate')) return 'waiting for a gate';
  if (paused) return 'paused';
  switch (status) {
    case 'in_progress':
      return leaseUntil !== null && Date.parse(leaseUntil) <= now ? 'stopped' : 'working';
    case 'blocked':
      if (isAsking(task)) return 'waiting for you';
      if (hasFailed(task)) return 'failed';
      return blockReason === WITHDRAWN || blockReason === NOT_IN_PLAN ? 'stopped' : 'blocked';
    case 'open':
      return fence > 0 ? 'stopped' : 'not started';
    default:
      return status satisfies never;
  }
}

/** Whether a task waits for it: the task that it holds, or, at a variants gate, each of the variants. */
export function waitsFor(
  taskId: string,
  { holds, sourceId, gate }: Pick<Notification, 'holds' | 'sourceId' | 'gate'>,
): boolean {
  return taskId === holds.task || (gate?.kind === 'variants' && taskId.startsWith(`${sourceId}-`));
}

/** The state of several tasks together, such as the variants of a phase: that of the first that matters to a person. */
export function jointState(states: readonly TaskState[]): TaskState {
  return taskStates.find((state) => states.includes(state)) ?? 'not started';
}

/** Who waits, for a sign and a colour. */
export const stateLook = {
  'waiting for you': 'held',
  'waiting for a gate': 'held',
  working: 'running',
  failed: 'failed',
  blocked: 'held',
  paused: 'waiting',
  stopped: 'waiting',
  'not started': 'waiting',
  done: 'done',
} as const satisfies Record<TaskState, string>;
