import type { Ledger } from '../ledger/ledger.ts';
import type { Notification } from '../schema/notification.ts';
import type { Task, TaskStatus } from '../schema/task.ts';
import { byUrgency, heldUp } from '../text/urgency.ts';

const unfinished: TaskStatus[] = ['blocked', 'in_progress', 'open'];

/** What waits, most urgent first, each with how many tasks wait behind the one that it holds. */
export async function mostUrgentFirst(
  { tasks }: Ledger,
  open: readonly Notification[],
): Promise<{ notification: Notification; behind: number }[]> {
  const holding = open.filter(({ holds, gate }) => holds.task !== undefined || gate !== undefined);
  const byProject = new Map<string, Task[]>();
  for (const projectId of new Set(holding.map((each) => each.projectId))) {
    const lists = await Promise.all(unfinished.map((status) => tasks.list(projectId, { status })));
    byProject.set(projectId, lists.flat());
  }
  const none: Task[] = [];
  const tasksOf = (projectId: string) => byProject.get(projectId) ?? none;
  return byUrgency(open, tasksOf).map((notification) => ({
    notification,
    behind: heldUp(notification, tasksOf(notification.projectId)).behind,
  }));
}
