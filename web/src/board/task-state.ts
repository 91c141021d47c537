import type { Notification } from '../../../src/schema/notification.ts';
import type { Task } from '../../../src/schema/task.ts';
import { waitsFor } from '../inbox/waits-for.ts';
import { titleOf } from '../text/words.ts';
import type { ShownNode } from './graph.tsx';

/** A task as the board shows it. */
export interface ShownTask {
  task: Task;
  state: ShownNode['state'];
  /** Why it stands where it stands. */
  detail: string;
  /** What it waits for a person with. */
  question?: Notification;
}

export function showTasks(tasks: readonly Task[], open: readonly Notification[]): ShownTask[] {
  const closed = new Set(tasks.flatMap(({ id, status }) => (status === 'closed' ? [id] : [])));
  return tasks.map((task) => {
    const question = open.find((asked) => waitsFor(task.id, asked));
    const left = task.dependsOn.filter((id) => !closed.has(id));
    return { task, ...(question ? { question } : {}), ...standing(task, left, question) };
  });
}

function standing(
  task: Task,
  left: string[],
  question: Notification | undefined,
): Pick<ShownTask, 'state' | 'detail'> {
  if (task.status === 'closed') return { state: 'done', detail: 'closed' };
  if (question) return { state: 'held', detail: titleOf(question) };
  switch (task.status) {
    case 'blocked':
      return { state: 'held', detail: task.blockReason ?? 'blocked' };
    case 'in_progress':
      return { state: 'running', detail: task.assignee ?? 'in progress' };
    case 'open':
      return left.length > 0
        ? { state: 'waiting', detail: `after ${left.join(', ')}` }
        : { state: 'ready', detail: 'ready' };
    default: {
      const never: never = task.status;
      return never;
    }
  }
}
