import { refuseAgent } from '../../ledger/refuse-agent.ts';
import { tasksWithin } from '../../work/phases/phase-task.ts';
import { dropGonePhases, ensureTasks } from '../../work/phases/tasks.ts';
import { requireApprovedPlan } from '../../work/plans/approved-plan.ts';
import { ensureBranch } from '../../work/run/feature-branch.ts';
import type { PlanRun } from '../../work/run/plan-run.ts';
import { refuseOtherFeature, refuseReplacedPlan } from '../../work/run/refuse-replaced.ts';
import type { Context } from '../context.ts';

/** Makes the plan's tasks known and its branch exist; false where everything is done already. */
export async function prepareRun(
  { report }: Pick<Context, 'report'>,
  { place, featureBranch }: Pick<PlanRun, 'place' | 'featureBranch'>,
): Promise<boolean> {
  const { ledger, projectId, name } = place;
  refuseAgent(place.by, 'run a plan');
  await requireApprovedPlan(place);
  await ensureTasks(place);
  await refuseReplacedPlan(place);
  await refuseOtherFeature(place, featureBranch);
  for (const task of await dropGonePhases(place)) report({ kind: 'phase_gone', task });
  const { open, in_progress, blocked } = await ledger.tasks.standing(projectId, tasksWithin(name));
  if (open + in_progress + blocked === 0) return false;
  await ensureBranch(place.git, featureBranch);
  return true;
}
