import { setTimeout as sleep } from 'node:timers/promises';
import { isAsking } from '../../schema/task.ts';
import { groupOf, type PhaseTask } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';

const LOOK_AGAIN_MS = 500;

/** A person compares all variants at once, so this waits until each has passed its gates or failed. */
export async function untilAllVariantsAreReady(
  planContext: PlanContext,
  at: PhaseTask,
  signal: AbortSignal,
): Promise<void> {
  const group = groupOf(planContext.plan, planContext.name, at.number);
  while (
    !signal.aborted &&
    !(await Promise.all(group.map((each) => isReady(planContext, each)))).every(Boolean)
  ) {
    await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function isReady({ ledger, projectId }: PlanContext, { taskId }: PhaseTask): Promise<boolean> {
  const task = await ledger.tasks.get(projectId, taskId);
  // A variant whose agent waits for an answer will continue; one that waits here has passed its gates.
  if (task.status === 'closed' || (task.status === 'blocked' && !isAsking(task))) return true;
  const records = await ledger.phases.list(projectId, taskId);
  const gates = records.findLast((each) => each.kind === 'gates');
  const done = records.findLast((each) => each.kind === 'implementation');
  if (!gates || !done || gates.id < done.id) return false;
  return gates.data.runs.every(({ passed }) => passed);
}
