import type { SkippedStep } from '../../../schema/phase-record.ts';
import { type PhaseTask, phaseName, tasksWithin } from '../../phases/phase-task.ts';
import type { PlanContext } from '../../phases/plan-context.ts';

/** A step that this run, or an earlier one of the plan, skipped. */
export interface Skipped {
  step: SkippedStep['step'] | 'audit';
  reason: string;
  /** Null for a step of the whole plan. */
  phase: string | null;
  task: string | null;
}

/** The recorded skipped steps of these phases. */
export async function skippedIn(
  { ledger, projectId, name }: PlanContext,
  phases: readonly PhaseTask[],
): Promise<Skipped[]> {
  const records = await ledger.phases.within(projectId, tasksWithin(name), 'skipped');
  const last = new Map(records.map(({ taskId, data }) => [taskId, data.steps]));
  return phases.flatMap((at) =>
    (last.get(at.taskId) ?? []).map(({ step, reason }) => ({
      step,
      reason,
      phase: phaseName(at),
      task: at.taskId,
    })),
  );
}
