import type { Context } from '../../context.ts';
import { tasksWithin } from '../../phases/phase-task.ts';
import { placeOrder, type QueueOptions } from '../../worker/place-order.ts';
import { type BeginRunOptions, openPlanRun } from './run-plan.ts';

export interface QueuedPlan {
  plan: string;
  feature_branch: string;
  needs: string[];
  /** How many phases are left. */
  phases: number;
}

/** Queues a plan for workers, after the same checks as a run. */
export async function queuePlan(
  context: Context,
  target: string | undefined,
  options: BeginRunOptions & QueueOptions,
): Promise<QueuedPlan> {
  const { run } = await openPlanRun(context, target, options);
  const { ledger, projectId, name } = run.around;
  const scope = tasksWithin(name);
  const needs = await placeOrder(run, scope, options);
  const { open, in_progress, blocked } = await ledger.tasks.standing(projectId, scope);
  return { plan: name, feature_branch: run.featureBranch, needs, phases: open + in_progress + blocked };
}
