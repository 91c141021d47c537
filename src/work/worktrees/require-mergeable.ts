import { basename, resolve } from 'node:path';
import { readPlan } from '../../plan/grammar/read-plan.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { locateFeature } from '../phases/find-plan.ts';
import { requirePermit, requireTaskPermit } from '../phases/phase-standing.ts';
import { type PhaseTask, phaseTasks, taskIdOf } from '../phases/phase-task.ts';
import { phaseOnRecord } from '../plans/approved-plan.ts';
import { missingPhase } from '../plans/as-approved.ts';
import type { WorktreeContext } from './worktree-context.ts';

/**
 * Throws unless the worktree's phase or task may be merged now, at this commit. Returns the id of its task; undefined if
 * the ledger has none.
 */
export async function requireMergeable(
  worktreeContext: WorktreeContext,
  worktree: Worktree,
  tip: string,
): Promise<string | undefined> {
  const { ledger, projectId } = worktreeContext;
  const { checkouts } = await locateFeature(worktreeContext, worktreeContext.top);
  const taskId =
    worktree.plan === null && worktree.phase === null ? await taskOf(worktreeContext, worktree) : undefined;
  if (taskId !== undefined) {
    const source = { ledger, projectId, git: worktreeContext, tip, root: checkouts.feature };
    await requireTaskPermit('merge', source, taskId, worktree);
    return taskId;
  }
  const { name, at } = await phaseOf(worktreeContext, worktree, checkouts.feature);
  const source = { ledger, projectId, name, git: worktreeContext, tip, root: checkouts.feature };
  await requirePermit('merge', source, at, worktree);
  return (await ledger.tasks.find(projectId, at.taskId))?.id;
}

/** The task without a plan that the worktree belongs to. */
async function taskOf(
  { ledger, projectId }: WorktreeContext,
  { branch }: Worktree,
): Promise<string | undefined> {
  return (await ledger.phases.startedOn(projectId, branch))?.taskId;
}

/** From the approved plan, or from its files if nobody has approved it yet. A worktree without a plan has no gates. */
async function phaseOf(
  { ledger, projectId }: WorktreeContext,
  worktree: Worktree,
  checkout: string,
): Promise<{ name: string; at: PhaseTask }> {
  const { plan, phase, variant } = worktree;
  const folder = resolve(checkout, plan ?? '.');
  const name = basename(folder) || 'plan';
  const taskId = taskIdOf(name, phase ?? '', variant);
  const approved = await phaseOnRecord(ledger, projectId, taskId);
  if (approved) return approved;
  const written = plan === null ? [] : phaseTasks(readPlan(folder).plan, name);
  return { name, at: written.find((each) => each.taskId === taskId) ?? phaseWithoutPlan(worktree, taskId) };
}

function phaseWithoutPlan({ phase, variant }: Worktree, taskId: string): PhaseTask {
  const number = phase ?? '';
  return { phase: missingPhase(number), number, variant, variants: [], front: {}, taskId };
}
