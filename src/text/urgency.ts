import { counted } from '../schema/counted.ts';
import type { Notification } from '../schema/notification.ts';
import type { Task } from '../schema/task.ts';
import { waitsFor } from '../schema/task-state.ts';

/** What a notification blocks: the tasks that wait for it, and how many open tasks depend on those, directly or indirectly. */
export interface HeldUp {
  own: readonly Task[];
  behind: number;
}

export function heldUp(notification: Notification, tasks: readonly Task[]): HeldUp {
  const { byId, dependants } = indexOf(tasks);
  const own =
    notification.gate?.kind === 'variants'
      ? tasks.filter(({ id }) => waitsFor(id, notification))
      : [byId.get(notification.holds.task ?? '') ?? []].flat();
  const waiting = new Set(own.map(({ id }) => id));
  for (const id of waiting) for (const next of dependants.get(id) ?? []) waiting.add(next);
  return { own, behind: waiting.size - own.length };
}

/** "holds up hours/2 and 3 behind it"; undefined if no task waits. */
export function holdsWords({ own, behind }: HeldUp): string | undefined {
  if (own.length === 0) return undefined;
  const names = own.map(({ id }) => id).join(', ');
  return behind > 0 ? `holds up ${names} and ${counted(behind, 'more task')}` : `holds up ${names}`;
}

/** "3 tasks behind it"; nothing if none waits. */
export const behindWords = (behind: number): string[] =>
  behind > 0 ? [`${counted(behind, 'task')} behind it`] : [];

interface Index {
  byId: ReadonlyMap<string, Task>;
  /** The unfinished tasks that depend on a task. */
  dependants: ReadonlyMap<string, readonly string[]>;
}

/** Cached, because every notification of a project uses the same list. */
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

/** First what is within its asker's share, then the nearest deadline, the most blocked tasks, the longest wait. */
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
      Number(a.notification.overflow ?? false) - Number(b.notification.overflow ?? false) ||
      compare(a.deadline, b.deadline) ||
      b.weight - a.weight ||
      compare(a.notification.createdAt, b.notification.createdAt) ||
      compare(a.notification.id, b.notification.id),
  );
  return ranked.map(({ notification }) => notification);
}

/** A reminder does not decide anything, so its deadline is not urgent. */
function deadlineOf({ policy, deadlineAt }: Notification): number {
  if (deadlineAt === undefined || policy.kind === 'wait' || policy.kind === 'remind') return Infinity;
  return Date.parse(deadlineAt);
}

function weigh({ own, behind }: HeldUp): number {
  return own.length + behind;
}

/** Not by subtraction, because two of them may be infinite. Texts are times and ids, so no locale applies. */
function compare<T extends number | string>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
