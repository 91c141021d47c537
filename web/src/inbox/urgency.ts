import type { Notification } from '../../../src/schema/notification.ts';
import type { Task } from '../../../src/schema/task.ts';

/** What a notification holds up: its own task, and every open task that waits for it, directly or not. */
export interface HeldUp {
  task?: Task;
  behind: number;
}

export function heldUp(notification: Notification, tasks: readonly Task[]): HeldUp {
  const { byId, dependants } = indexOf(tasks);
  const task = byId.get(notification.resume?.task ?? notification.sourceId);
  if (!task) return { behind: 0 };
  const waiting = new Set([task.id]);
  for (const id of waiting) for (const next of dependants.get(id) ?? []) waiting.add(next);
  return { task, behind: waiting.size - 1 };
}

interface Index {
  byId: ReadonlyMap<string, Task>;
  /** Which tasks that are not closed wait for a task. */
  dependants: ReadonlyMap<string, readonly string[]>;
}

/** The same list is looked at for every notification of its project. */
const indexes = new WeakMap<readonly Task[], Index>();

function indexOf(tasks: readonly Task[]): Index {
  const known = indexes.get(tasks);
  if (known) return known;
  const dependants = new Map<string, string[]>();
  for (const { id, status, dependsOn } of tasks) {
    if (status === 'closed') continue;
    for (const other of dependsOn) {
      const list = dependants.get(other);
      if (list) list.push(id);
      else dependants.set(other, [id]);
    }
  }
  const index = { byId: new Map(tasks.map((task) => [task.id, task])), dependants };
  indexes.set(tasks, index);
  return index;
}

/** Silence decides soon · holds up most · waits longest. */
export function byUrgency(
  notifications: readonly Notification[],
  tasksOf: (projectId: string) => readonly Task[],
): Notification[] {
  const ranked = notifications.map((notification) => ({
    notification,
    deadline: deadlineOf(notification),
    weight: weigh(heldUp(notification, tasksOf(notification.projectId))),
  }));
  ranked.sort(
    (a, b) =>
      compare(a.deadline, b.deadline) ||
      b.weight - a.weight ||
      a.notification.createdAt.localeCompare(b.notification.createdAt) ||
      a.notification.id.localeCompare(b.notification.id),
  );
  return ranked.map(({ notification }) => notification);
}

/** A reminder decides nothing. */
function deadlineOf({ policy, deadlineAt }: Notification): number {
  if (deadlineAt === undefined || policy.kind === 'wait' || policy.kind === 'remind') return Infinity;
  return Date.parse(deadlineAt);
}

function weigh({ task, behind }: HeldUp): number {
  return task ? 1 + behind : 0;
}

/** Subtracting would not do: two of them may be infinite. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
