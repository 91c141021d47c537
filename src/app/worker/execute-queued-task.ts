import { join } from 'node:path';
import { counted } from '../../schema/counted.ts';
import { isAssignment, type Work, type WorkOrder } from '../../schema/work-order.ts';
import { executePhase } from '../../work/run/execute-phase.ts';
import { executeTask } from '../../work/run/execute-task.ts';
import type { HeldTask } from '../../work/run/task-loop.ts';
import { untilReachable } from '../../work/run/until-reachable.ts';
import type { Context } from '../context.ts';
import { folderInside } from '../folder-inside.ts';
import { queuePlan } from '../run-plan/queue-plan.ts';
import { openPlanRun } from '../run-plan/run-plan.ts';
import { openTask } from '../work-on-task/open-task.ts';
import { finishAssignment } from './finish-assignment.ts';
import { openAssignment } from './open-assignment.ts';
import { openReview } from './open-review.ts';
import { inOrderContext, orderTrust } from './order-context.ts';
import { untilTrusted } from './until-trusted.ts';
import type { WorkerParts } from './worker-parts.ts';

/** Executes what a person queued for a task, by the same rules as `fermata run` and `fermata tasks work`. */
export async function executeQueuedTask(parts: WorkerParts, held: HeldTask): Promise<void> {
  const { projectId, id } = held.task;
  const order = await parts.ledger.workOrders.find(projectId, id);
  const { ledger, report } = parts;
  const tell = (text: string) => report({ kind: 'phase', task: id, phase: id, text });
  if (!order) return tell('is no longer queued for workers');
  const patient = { signal: held.signal, tell, isNew: true };
  const start = await untilTrusted(ledger, held, () =>
    untilReachable(patient, () => opened(parts, order, held)),
  );
  await start?.();
}

/** The work, ready to start its first agent. */
async function opened(parts: WorkerParts, order: WorkOrder, held: HeldTask): Promise<() => Promise<void>> {
  const { work } = order;
  if (work.kind === 'review') return openReview(parts, { ...order, work }, held);
  if (work.kind !== 'start' && isAssignment(work)) return openAssignment(parts, { ...order, work }, held);
  const { signal } = held;
  return inOrderContext(parts, order, signal, (context) =>
    openedIn(context, parts, { ...order, work }, held),
  );
}

async function openedIn(
  context: Context,
  parts: WorkerParts,
  { work, needs }: WorkOrder & { work: Extract<Work, { kind: 'start' | 'plan' | 'task' }> },
  held: HeldTask,
): Promise<() => Promise<void>> {
  const { signal } = held;
  switch (work.kind) {
    case 'start': {
      const options = {
        ...work.options,
        feature: work.featureBranch,
        needs,
        ...orderTrust,
        signal,
      };
      const { plan, phases } = await queuePlan(context, folderInside(context.cwd, work.plan), options);
      const said = `${counted(phases, 'phase')} of ${plan} ${phases === 1 ? 'is' : 'are'} queued for workers.`;
      return () => finishAssignment(parts, held, said);
    }
    case 'plan': {
      const options = { ...work.options, feature: work.featureBranch, ...orderTrust, signal };
      const { run } = await openPlanRun(context, join(context.cwd, work.plan), options);
      return () => executePhase(run, held);
    }
    case 'task': {
      const options = { ...work.options, into: work.featureBranch, ...orderTrust };
      const run = await openTask(context, held.task.id, options);
      return () => executeTask(run, held);
    }
    default: {
      const never: never = work;
      return never;
    }
  }
}
