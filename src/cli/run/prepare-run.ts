import { tasksWithin } from '../../work/phases/phase-at-work.ts';
import { dropGonePhases, ensureTasks } from '../../work/phases/tasks.ts';
import { ensureBranch } from '../../work/run/feature-branch.ts';
import type { PlanRun } from '../../work/run/plan-run.ts';
import { refuseOtherFeature, refuseReplacedPlan } from '../../work/run/refuse-replaced.ts';
import { tell } from '../output.ts';

/** Makes the plan's tasks known and its branch exist; false where everything is done already. */
export async function prepareRun({
  place,
  featureBranch,
}: Pick<PlanRun, 'place' | 'featureBranch'>): Promise<boolean> {
  const { ledger, projectId, name } = place;
  await ensureTasks(place);
  await refuseReplacedPlan(place);
  await refuseOtherFeature(place, featureBranch);
  for (const id of await dropGonePhases(place))
    tell(`${id} is no longer in the plan: its questions are withdrawn.`);
  const { open, in_progress, blocked } = await ledger.tasks.standing(projectId, tasksWithin(name));
  if (open + in_progress + blocked === 0) return false;
  await ensureBranch(place.git, featureBranch);
  return true;
}
