import { crashPoint } from '../../ledger/crash-point.ts';
import type { GateRun } from '../../schema/phase-record.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { joinProject } from '../projects/join-project.ts';
import { planOnRecord } from '../worktrees/plan-on-record.ts';
import { deferred, fenceOf, holdPhase } from './hold.ts';
import { requirePermit } from './phase-standing.ts';
import type { PhaseTask } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';
import { type GateOptions, runWorkGates } from './run-work-gates.ts';
import { type ArchivedVariant, settleVariants } from './settle-variants.ts';
import { showStatus } from './show-status.ts';
import { worktreeOf } from './worktree.ts';

/** Completes a phase: people have answered, and all gate commands succeeded when we ran them. */
export async function completePhase(
  planContext: PlanContext,
  at: PhaseTask,
  options: GateOptions,
): Promise<object> {
  const { ledger, projectId } = planContext;
  if (planContext.git && fenceOf(planContext) === undefined) await joinProject(planContext.git);
  const task = await ledger.tasks.find(projectId, at.taskId);
  if (task?.status === 'closed') {
    await requirePermit('complete', planContext, at);
    const archived = await settleVariants(planContext, at);
    await showStatus(planContext, at);
    return { ...(await completed(planContext, at, [], archived)), already_completed: true };
  }
  const held = await holdPhase(planContext, at);
  await worktreeOf(planContext, at);
  const isInRun = fenceOf(planContext) !== undefined;
  // A run does this check itself before it merges.
  if (!isInRun) await requirePermit('complete', planContext, at);
  const runs = await runPhaseGates(planContext, at, options);
  crashPoint('complete.checked');
  if (isInRun) return { id: at.taskId, completed: false, ...deferred, gates: runs };
  const fence = held.status === 'in_progress' ? held.fence : undefined;
  return completed(planContext, at, runs, await closePhase(planContext, at, fence));
}

interface CompletedPhase {
  id: string;
  completed: true;
  already_completed: boolean;
  merged: boolean;
  gates: GateRun[];
  unmerged_alternatives: string[];
  /** The discarded variants. */
  archived?: ArchivedVariant[];
}

/**
 * Ends a phase: archives rejected variants, closes its task, and updates the plan's file. In this order, so that the next
 * process after a crash does what is left. Returns the discarded variants.
 */
export async function closePhase(
  planContext: PlanContext,
  at: PhaseTask,
  fence: number | undefined,
): Promise<ArchivedVariant[]> {
  const { ledger, projectId, by } = planContext;
  await requirePermit('close', planContext, at);
  const archived = await settleVariants(planContext, at);
  await ledger.tasks.end(projectId, at.taskId, by, fence);
  crashPoint('complete.closed');
  await showStatus(planContext, at);
  return archived;
}

/** Runs the gate commands where the phase was worked on. */
async function runPhaseGates(
  planContext: PlanContext,
  at: PhaseTask,
  options: GateOptions,
): Promise<GateRun[]> {
  const cwd = (await worktreeOf(planContext, at))?.path ?? planContext.checkouts.feature;
  return runWorkGates(planContext, { taskId: at.taskId, gates: at.phase.file?.gates ?? [] }, cwd, options);
}

async function completed(
  planContext: PlanContext,
  at: PhaseTask,
  gates: GateRun[],
  archived: ArchivedVariant[],
): Promise<CompletedPhase> {
  const worktree = await worktreeOf(planContext, at);
  const alternatives = await unmergedAlternatives(planContext, at);
  return {
    id: at.taskId,
    completed: true,
    already_completed: false,
    merged: worktree?.state === 'merged',
    gates,
    unmerged_alternatives: alternatives.map(({ branch }) => branch),
    ...(archived.length > 0 ? { archived } : {}),
  };
}

/** Worktrees of the same phase that were kept besides the merged one. */
async function unmergedAlternatives(
  { ledger, projectId, here, checkouts, folder }: PlanContext,
  at: PhaseTask,
): Promise<Worktree[]> {
  const own = planOnRecord(checkouts.feature, folder);
  return (await ledger.worktrees.list(projectId)).filter(
    ({ state, plan, phase, featureBranch }) =>
      state === 'alternative' && plan === own && phase === at.number && featureBranch === here.featureBranch,
  );
}
