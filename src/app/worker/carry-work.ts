import { join } from 'node:path';
import { Refusal } from '../../schema/refusal.ts';
import type { WorkOrder } from '../../schema/work-order.ts';
import { executePhase } from '../../work/run/execute-phase.ts';
import { executeTask } from '../../work/run/execute-task.ts';
import type { HeldTask } from '../../work/run/task-loop.ts';
import { whileAway } from '../../work/run/while-away.ts';
import type { Context } from '../context.ts';
import { openPlanRun } from '../run-plan/run-plan.ts';
import { openTrustedContext } from '../trusted-context.ts';
import { openTask } from '../work-on-task/open-task.ts';
import { projectFolder, REMOTE } from './project-folder.ts';
import { untilTrusted } from './until-trusted.ts';
import type { WorkerParts } from './worker-parts.ts';

/** Whoever set this machine's environment did not see what would be trusted. */
const trust = { neverInAdvance: true };

/** Does what a person queued for a task, by the same rules as `fermata run` and `fermata tasks work`. */
export async function carryWork(parts: WorkerParts, held: HeldTask): Promise<void> {
  const { projectId, id } = held.task;
  const order = await parts.ledger.workOrders.find(projectId, id);
  if (!order) throw new Refusal('withdrawn', `${id} is no longer queued for workers.`);
  const { ledger, report } = parts;
  const tell = (text: string) => report({ kind: 'phase', task: id, phase: id, text });
  const patient = { signal: held.signal, tell, isNew: true };
  const carry = await untilTrusted(ledger, held, () => whileAway(patient, () => opened(parts, order, held)));
  await carry?.();
}

/** The work, ready to start its first agent. */
async function opened(parts: WorkerParts, order: WorkOrder, held: HeldTask): Promise<() => Promise<void>> {
  const { work } = order;
  const { signal } = held;
  const context = await contextFor(parts, order, signal);
  switch (work.kind) {
    case 'plan': {
      const options = { ...work.options, feature: work.featureBranch, ...trust, signal };
      const { run } = await openPlanRun(context, join(context.cwd, work.plan), options);
      return () => executePhase(run, held);
    }
    case 'task': {
      const options = { ...work.options, into: work.featureBranch, ...trust };
      const run = await openTask(context, held.task.id, options);
      return () => executeTask(run, held);
    }
    default: {
      const never: never = work;
      return never;
    }
  }
}

async function contextFor(
  { ledger, settings, env, report }: WorkerParts,
  { projectId, by, work }: WorkOrder,
  signal: AbortSignal,
): Promise<Context> {
  const project = await ledger.projects.get(projectId);
  const cwd = await projectFolder({ settings, env }, project, work, signal);
  const where = {
    ...{ cwd, env, store: settings.store.value, project: projectId, name: by.actor.name, report },
    remote: work.remote === null ? 'none' : REMOTE,
  };
  const opened = await openTrustedContext(ledger, where, trust);
  return { ...opened, who: by, project: async () => project, isShared: true };
}
