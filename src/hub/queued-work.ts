import { usualPlace } from '../app/worker/queue-by-ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { workerWait } from '../ledger/tasks/abilities.ts';
import type { PlanRunView } from '../schema/plan-run.ts';
import { isAsking, type Task } from '../schema/task.ts';

type View = Omit<PlanRunView, 'plan'>;

/** How far workers are with what a person queued: the tasks of a plan, or one task. */
export async function queuedView(ledger: Ledger, projectId: string, scope: string): Promise<View> {
  const order = await ledger.queue.find(projectId, scope);
  const place = await usualPlace({ ledger, projectId }, scope);
  if (!order) return { ...idle, workers: { ...place, queued: false, wait: null } };
  const tasks = await tasksOf(ledger, projectId, scope);
  const waiting = await waitOf(ledger, tasks);
  return { ...progressOf(tasks), workers: { ...place, queued: true, wait: waiting ?? null } };
}

const idle = { running: false, result: null, error: null };

async function tasksOf(ledger: Ledger, projectId: string, scope: string): Promise<Task[]> {
  if (scope.endsWith('/')) return ledger.tasks.list(projectId, { within: scope });
  const task = await ledger.tasks.find(projectId, scope);
  return task ? [task] : [];
}

/** Undefined while one of them is at work or waits for a person. */
async function waitOf(ledger: Ledger, tasks: Task[]): Promise<string | undefined> {
  if (tasks.some((task) => task.status === 'in_progress' || isAsking(task))) return undefined;
  const ready = tasks.find(({ status }) => status === 'open');
  return ready && workerWait(ready, await ledger.workers.list());
}

function progressOf(tasks: Task[]): View {
  if (tasks.every(({ status }) => status === 'closed')) return { ...idle, result: 'done' };
  const failed = tasks.find((task) => task.status === 'blocked' && !isAsking(task));
  const isUnfinished = tasks.some(
    (task) => task.status === 'open' || task.status === 'in_progress' || isAsking(task),
  );
  if (failed && !isUnfinished) return { ...idle, result: 'failed', error: failed.blockReason };
  return { ...idle, running: true };
}
