import { hasFailed, NOT_IN_PLAN } from '../../../src/schema/block-reason.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Task } from '../../../src/schema/task.ts';
import { stateOf, waitsFor } from '../../../src/schema/task-state.ts';
import { holderWords, titleOf } from '../text/words.ts';
import type { ShownNode } from './graph.tsx';

/** A task as the board shows it. */
export interface ShownTask {
  task: Task;
  state: ShownNode['state'];
  /** Why it is in this state. */
  detail: string;
  /** The question to a person that it waits for. */
  question?: Notification;
}

export function showTasks(tasks: readonly Task[], open: readonly Notification[]): ShownTask[] {
  // Unfinished tasks are loaded first, so a missing one is closed.
  const unfinished = new Set(tasks.flatMap(({ id, status }) => (status === 'closed' ? [] : [id])));
  // A map, because both the board and the inbox may be long.
  const byTask = new Map(open.toReversed().map((asked) => [asked.holds.task, asked]));
  const variants = open.filter(({ gate }) => gate?.kind === 'variants');
  return tasks.map((task) => {
    const question = byTask.get(task.id) ?? variants.find((asked) => waitsFor(task.id, asked));
    const left = task.dependsOn.filter((id) => unfinished.has(id));
    return { task, ...(question ? { question } : {}), ...standing(task, left, question) };
  });
}

function standing(
  task: Task,
  left: string[],
  question: Notification | undefined,
): Pick<ShownTask, 'state' | 'detail'> {
  if (task.status === 'closed') return { state: 'done', detail: 'done' };
  if (task.blockReason === NOT_IN_PLAN) return { state: 'done', detail: NOT_IN_PLAN.toLowerCase() };
  if (question) return { state: 'held', detail: titleOf(question) };
  switch (task.status) {
    case 'blocked': {
      const state = stateOf(task);
      const why = task.blockReason ?? '';
      return { state: 'held', detail: why === '' || hasFailed(task) ? why || state : `${state}: ${why}` };
    }
    case 'in_progress':
      return {
        state: 'running',
        detail: task.assignee ? `${stateOf(task)}: ${holderWords(task.assignee)}` : stateOf(task),
      };
    case 'open':
      return left.length > 0
        ? { state: 'waiting', detail: `after ${some(left)}` }
        : { state: 'ready', detail: stateOf(task) };
    default: {
      const never: never = task.status;
      return never;
    }
  }
}

const MAX_NAMES = 3;

function some(ids: readonly string[]): string {
  const named = ids.slice(0, MAX_NAMES).join(', ');
  return ids.length > MAX_NAMES ? `${named} and ${ids.length - MAX_NAMES} more` : named;
}

export const lastClosedFirst = (a: ShownTask, b: ShownTask): number =>
  (b.task.closedAt ?? '').localeCompare(a.task.closedAt ?? '');
