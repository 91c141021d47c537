import { shownAddress } from '../../../git/remote/address.ts';
import { refuseAgent } from '../../../ledger/access/refuse-agent.ts';
import type { Context } from '../../context.ts';
import { tasksWithin } from '../../phases/phase-task.ts';
import { dropGonePhases, ensureTasks } from '../../phases/tasks.ts';
import { requireApprovedPlan } from '../../plans/approved-plan.ts';
import { ensureBranch } from '../../run/feature-branch.ts';
import { refuseOtherFeature, refuseReplacedPlan } from '../../run/refuse-replaced.ts';
import { untilReachable } from '../../run/until-reachable.ts';
import type { PlanRun } from '../../run/work-run.ts';
import { publishFeature } from '../../worktrees/exchange/publish-feature.ts';
import { usesRemote } from '../../worktrees/exchange/remote-context.ts';

/** Records the plan's tasks and creates its branch; false if everything is already done. */
export async function prepareRun(
  { report }: Pick<Context, 'report'>,
  { around: planContext, featureBranch, agent }: Pick<PlanRun, 'around' | 'featureBranch' | 'agent'>,
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
  const remote = git.remote ? shownAddress(git.remote) : null;
  const kept = { projectId, scope: tasksWithin(name), options: { featureBranch, remote, options: agent } };
  await ledger.queue.keepOptions(kept, planContext.by);
  if (!usesRemote(git)) await ensureBranch(git, featureBranch);
  else {
    const tell = (text: string) => report({ kind: 'notice', text });
    await untilReachable({ signal, tell, isNew: true }, () =>
      publishFeature({ ...git, signal }, featureBranch),
    );
  }
  return true;
}
