import { refuseAgent } from '../../../ledger/access/refuse-agent.ts';
import type { Context } from '../../context.ts';
import { isFailedHere } from '../../run/faults.ts';
import { placeOrder, type QueueOptions } from '../../worker/place-order.ts';
import { type OpenTaskOptions, openTask } from './open-task.ts';
import { requireWorkable } from './require-workable.ts';

export interface QueuedTask {
  task: string;
  into: string;
  needs: string[];
}

/** Queues a task without a plan for workers, after the same checks as working on it. */
export async function queueTask(
  context: Context,
  taskId: string,
  options: OpenTaskOptions & QueueOptions,
): Promise<QueuedTask> {
  const { ledger, who } = context;
  refuseAgent(who, 'start work on tasks');
  const { id: projectId } = await context.project();
  const task = await ledger.tasks.get(projectId, taskId);
  await requireWorkable(ledger, task);
  const run = await openTask(context, taskId, options);
  if (isFailedHere(task)) await ledger.tasks.unblock(projectId, taskId, who);
  const needs = await placeOrder(run, taskId, options);
  return { task: taskId, into: run.featureBranch, needs };
}
