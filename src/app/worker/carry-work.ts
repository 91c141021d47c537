import { join } from 'node:path';
import { Refusal } from '../../schema/refusal.ts';
import type { PlanWork, WorkOrder } from '../../schema/work-order.ts';
import { executePhase } from '../../work/run/execute-phase.ts';
import type { PlanRun } from '../../work/run/plan-run.ts';
import type { HeldTask } from '../../work/run/task-loop.ts';
import { openPlanRun } from '../run-plan/run-plan.ts';
import { openTrustedContext } from '../trusted-context.ts';
import { projectFolder, REMOTE } from './project-folder.ts';
import { untilTrusted } from './until-trusted.ts';
import type { WorkerParts } from './worker-parts.ts';

/** Does what a person asked workers to do with a task, by the same rules as `fermata run`. */
export async function carryWork(parts: WorkerParts, held: HeldTask): Promise<void> {
  const { projectId, id } = held.task;
  const order = await parts.ledger.workOrders.find(projectId, id);
  if (!order) throw new Refusal('withdrawn', `${id} is no longer queued for workers.`);
  const run = await untilTrusted(parts.ledger, held, () => openPlan(parts, order, order.work));
  if (run) await executePhase(run, held);
}

async function openPlan(
  { ledger, settings, env, report }: WorkerParts,
  { projectId, by }: WorkOrder,
  work: PlanWork,
): Promise<PlanRun> {
  const project = await ledger.projects.get(projectId);
  const cwd = await projectFolder({ settings, env }, project, work);
  // Whoever set this machine's environment did not see what would be trusted.
  const trust = { neverInAdvance: true };
  const where = {
    ...{ cwd, env, store: settings.store.value, project: projectId, name: by.actor.name, report },
    remote: work.remote === null ? 'none' : REMOTE,
  };
  const opened = await openTrustedContext(ledger, where, trust);
  const context = { ...opened, who: by, project: async () => project, isShared: true };
  const options = { ...work.options, feature: work.featureBranch, ...trust };
  return (await openPlanRun(context, join(cwd, work.plan), options)).run;
}
