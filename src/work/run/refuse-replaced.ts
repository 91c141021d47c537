import { cmd } from '../../schema/command-line.ts';
import { Refusal } from '../../schema/refusal.ts';
import { fingerprintOf } from '../phases/fingerprint.ts';
import { type PhaseTask, phaseTasks } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { showStatus } from '../phases/show-status.ts';
import { tasksOfPlan } from '../phases/tasks.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';

/**
 * Checks each phase that is done in the ledger but not in its file: either we died before we updated the file, or
 * somebody put another plan into the folder of a finished one, which must not pass as done.
 */
export async function refuseReplacedPlan(planContext: PlanContext): Promise<void> {
  const tasks = await tasksOfPlan(planContext);
  for (const at of phaseTasks(planContext.plan, planContext.name)) {
    if (tasks.get(at.taskId)?.status !== 'closed' || at.phase.status === 'completed') continue;
    if (await isReplaced(planContext, at)) throw replaced(planContext, at);
    await showStatus(planContext, at);
  }
}

/** Refuses another feature branch, because the phases merged so far are not in it. */
export async function refuseOtherFeature(planContext: PlanContext, featureBranch: string): Promise<void> {
  const plan = planOnRecord(planContext.checkouts.feature, planContext.folder);
  const merged = (await planContext.ledger.worktrees.list(planContext.projectId)).find(
    (each) => each.plan === plan && each.state === 'merged' && each.featureBranch !== featureBranch,
  );
  if (!merged) return;
  throw new Refusal(
    'other_feature',
    `Phase ${merged.phase} of ${planContext.name} was merged into ${merged.featureBranch}, not into ${featureBranch}.`,
    {
      suggestion: `Continue with: ${cmd`run --feature ${merged.featureBranch} ${planContext.folder}`}`,
      code: 'invalid',
    },
  );
}

/** The plan's file has another phase than the one that was started. */
export async function isReplaced(planContext: PlanContext, at: PhaseTask): Promise<boolean> {
  const { ledger, projectId } = planContext;
  const started = (await ledger.phases.list(projectId, at.taskId)).findLast(
    (each) => each.kind === 'started',
  );
  return (
    started?.data.fingerprint !== undefined && started.data.fingerprint !== fingerprintOf(planContext, at)
  );
}

function replaced({ name, folder }: PlanContext, { number, phase }: PhaseTask): Refusal {
  return new Refusal(
    'replaced_plan',
    `Phase ${number} of ${name} is done, but ${folder} now has a different phase ${number}: ${phase.title}.`,
    { suggestion: 'Move the new plan to a folder with another name, and run that.', code: 'invalid' },
  );
}
