import { Refusal } from '../../schema/refusal.ts';
import { phaseTasks } from '../phases/phase-task.ts';
import { startPhase } from '../phases/start.ts';
import { approvedPlan } from '../plans/approved-plan.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';
import { worktreeBranch } from '../worktrees/worktree-branch.ts';
import { openPatiently } from './exchange-work.ts';
import { executeWork } from './execute-work.ts';
import type { PhaseContext } from './phase-context.ts';
import { phaseItem } from './phase-item.ts';
import type { PlanRun } from './plan-run.ts';
import type { HeldTask } from './task-loop.ts';
import { verifyPhase } from './verify-phase.ts';

/** Executes a phase as far as possible. */
export async function executePhase(run: PlanRun, held: HeldTask): Promise<void> {
  return executeWork(await openContext(run, held), verifyPhase);
}

async function openContext(run: PlanRun, held: HeldTask): Promise<PhaseContext> {
  const { fence } = held.task;
  const git = { ...run.around.git, confirm: held.confirm, signal: held.signal, fence };
  const { ledger, projectId, name, written } = run.around;
  // A person may have approved other terms with the merge of an earlier phase.
  const approved = await approvedPlan(ledger, projectId, name, written);
  const planContext = { ...run.around, plan: approved, git, fence };
  const own = { ...run, around: planContext };
  const at = phaseTasks(planContext.plan, planContext.name).find(({ taskId }) => taskId === held.task.id);
  if (!at) throw new Refusal('not_found', `${held.task.id} is no longer in the plan.`);
  const { number: phase, variant } = at;
  const plan = planOnRecord(planContext.checkouts.feature, planContext.folder);
  const item = phaseItem(own, at);
  const feature = run.featureBranch;
  const branch = worktreeBranch({ feature, plan: name, phase, variant });
  const worktree = await openPatiently(own, held, item, { branch, feature, plan, phase, variant });
  await startPhase(planContext, at, { specialist: run.driver.name, worktree: worktree.branch });
  return { run: own, held, at, item, worktree };
}
