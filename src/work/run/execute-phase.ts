import { Refusal } from '../../schema/refusal.ts';
import { phaseTasks } from '../phases/phase-task.ts';
import { startPhase } from '../phases/start.ts';
import { approvedPlan } from '../plans/approved-plan.ts';
import type { WantedWorktree } from '../worktrees/open-worktree.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';
import { worktreeBranch } from '../worktrees/worktree-branch.ts';
import { openPatiently } from './exchange-work.ts';
import { executeWork } from './execute-work.ts';
import type { PhaseContext } from './phase-context.ts';
import { phaseItem } from './phase-item.ts';
import type { PlanRun } from './plan-run.ts';
import { isReplaced } from './refuse-replaced.ts';
import { takeUpMerge } from './take-up-merge.ts';
import type { HeldTask } from './task-loop.ts';
import { closeMerged, verifyPhase } from './verify-phase.ts';

/** Executes a phase as far as possible. */
export async function executePhase(run: PlanRun, held: HeldTask): Promise<void> {
  const phase = await preparePhase(run, held);
  if (await takesUpMerge(phase, held)) return closeMerged(phase, held);
  return executeWork(await openContext(phase, held), verifyPhase);
}

type PreparedPhase = Pick<PhaseContext, 'run' | 'at' | 'item'> & { wanted: WantedWorktree };

async function preparePhase(run: PlanRun, held: HeldTask): Promise<PreparedPhase> {
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
  return { run: own, at, item, wanted: { branch, feature, plan, phase, variant } };
}

/** Not if the plan has another phase with this number by now. */
async function takesUpMerge({ run, at, item, wanted }: PreparedPhase, held: HeldTask): Promise<boolean> {
  if (await isReplaced(run.around, at)) return false;
  return takeUpMerge(run, held, item, wanted.branch);
}

async function openContext({ run, at, item, wanted }: PreparedPhase, held: HeldTask): Promise<PhaseContext> {
  const worktree = await openPatiently(run, held, item, wanted);
  await startPhase(run.around, at, { specialist: run.driver.name, worktree: worktree.branch });
  return { run, held, at, item, worktree };
}
