import { shownAddress } from '../../git/remote/address.ts';
import { tasksWithin } from '../../work/phases/phase-task.ts';
import { planOnRecord } from '../../work/worktrees/plan-on-record.ts';
import type { Context } from '../context.ts';
import { abilityOf } from '../worker/abilities.ts';
import { type BeginRunOptions, openPlanRun } from './run-plan.ts';

export interface QueuedPlan {
  plan: string;
  feature_branch: string;
  needs: string[];
  /** How many phases are left. */
  phases: number;
}

/** Leaves a plan to workers, after the same checks as a run. */
export async function queuePlan(
  context: Context,
  target: string | undefined,
  { needs: more = [], ...options }: BeginRunOptions & { needs?: string[] },
): Promise<QueuedPlan> {
  const { run } = await openPlanRun(context, target, options);
  const { around, featureBranch, agent } = run;
  const { ledger, projectId, by, name } = around;
  const sandbox = agent.sandbox ? ['sandbox'] : [];
  const needs = [...new Set([abilityOf(agent.agent), ...sandbox, ...more])].sort();
  const { allow, review, skipAudit, gateTimeoutMs, timeoutMs, parkAfterMs, backgroundWaitMs } = options;
  const work = {
    kind: 'plan' as const,
    plan: planOnRecord(around.checkouts.feature, around.folder),
    featureBranch,
    remote: around.git.remote ? shownAddress(around.git.remote) : null,
    options: {
      ...agent,
      ...{ allow, review, skipAudit, gateTimeoutMs, timeoutMs, parkAfterMs, backgroundWaitMs },
    },
  };
  await ledger.workOrders.place({ projectId, scope: tasksWithin(name), needs, work }, by);
  const { open, in_progress, blocked } = await ledger.tasks.standing(projectId, tasksWithin(name));
  return { plan: name, feature_branch: featureBranch, needs, phases: open + in_progress + blocked };
}
