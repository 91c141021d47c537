import { refuseAgent } from '../../ledger/access/refuse-agent.ts';
import { tasksWithin } from '../../work/phases/phase-task.ts';
import { dropGonePhases, ensureTasks } from '../../work/phases/tasks.ts';
import { requireApprovedPlan } from '../../work/plans/approved-plan.ts';
import { ensureBranch } from '../../work/run/feature-branch.ts';
import { refuseOtherFeature, refuseReplacedPlan } from '../../work/run/refuse-replaced.ts';
import { untilReachable } from '../../work/run/until-reachable.ts';
import type { PlanRun } from '../../work/run/work-run.ts';
import { publishFeature } from '../../work/worktrees/exchange/publish-feature.ts';
import { usesRemote } from '../../work/worktrees/exchange/remote-context.ts';
import type { Context } from '../context.ts';

/** Records the plan's tasks and creates its branch; false if everything is already done. */
export async function prepareRun(
  { report }: Pick<Context, 'report'>,
  { around: planContext, featureBranch }: Pick<PlanRun, 'around' | 'featureBranch'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const { ledger, projectId, name } = planContext;
  refuseAgent(planContext.by, 'run a plan');
  await requireApprovedPlan(planContext);
  await ensureTasks(planContext);
  await refuseReplacedPlan(planContext);
  await refuseOtherFeature(planContext, featureBranch);
  for (const task of await dropGonePhases(planContext)) report({ kind: 'phase_gone', task });
  const { open, in_progress, blocked } = await ledger.tasks.standing(projectId, tasksWithin(name));
  if (open + in_progress + blocked === 0) return false;
  const { git } = planContext;
  if (!usesRemote(git)) await ensureBranch(git, featureBranch);
  else {
    const tell = (text: string) => report({ kind: 'notice', text });
    await untilReachable({ signal, tell, isNew: true }, () =>
      publishFeature({ ...git, signal }, featureBranch),
    );
  }
  return true;
}
