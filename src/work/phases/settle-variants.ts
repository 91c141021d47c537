import { FermataError } from '../../schema/error.ts';
import { type Solution, solutionOf } from '../gates/gate-result.ts';
import { gatesOf } from '../gates/human-gates.ts';
import { discardWorktree } from '../worktrees/discard-worktree.ts';
import { oneAtATime } from '../worktrees/one-at-a-time.ts';
import { groupOf, type PhaseTask } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';
import { worktreeOf } from './worktree.ts';

export interface ArchivedVariant {
  branch: string;
  /** The branch that now contains all of it. */
  archive: string | null;
  /** Why it was not archived. */
  problem?: string;
}

/**
 * Keeps and archives the rejected variants once the main variant is completed, because until then an agent may still work
 * there. Reports what cannot be archived now; the next call tries again.
 */
export async function settleVariants(planContext: PlanContext, at: PhaseTask): Promise<ArchivedVariant[]> {
  if (at.variants.length === 0) return [];
  const archived: ArchivedVariant[] = [];
  const gates = await gatesOf(planContext, at);
  for (const each of groupOf(planContext.plan, planContext.name, at.number)) {
    const solution = solutionOf(gates, each);
    await keepAlternative(planContext, each, solution);
    if (solution === 'discard') archived.push(...(await archiveVariant(planContext, each)));
  }
  return archived;
}

/** The branch of a variant that is recorded as an alternative; undefined if it is not kept. */
export async function keepAlternative(
  planContext: PlanContext,
  at: PhaseTask,
  solution: Solution | undefined,
): Promise<string | undefined> {
  const { git, ledger, projectId, by } = planContext;
  if (!git || solution !== 'alternative') return undefined;
  // Runs alone, because a process that opens it at the same time would reactivate it. The decision is made, so no claim is
  // needed.
  return oneAtATime({ ...git, confirm: undefined }, async () => {
    const worktree = await worktreeOf(planContext, at);
    if (worktree?.state === 'active')
      await ledger.worktrees.change(projectId, worktree.branch, { state: 'alternative' }, by);
    return worktree?.branch;
  });
}

async function archiveVariant(planContext: PlanContext, at: PhaseTask): Promise<ArchivedVariant[]> {
  const worktree = await worktreeOf(planContext, at);
  if (!planContext.git || !worktree) return [];
  try {
    const { branch, archive } = await discardWorktree(planContext.git, worktree);
    return [{ branch, archive }];
  } catch (error) {
    if (!(error instanceof FermataError) || error.code === 'stale') throw error;
    return [{ branch: worktree.branch, archive: null, problem: error.message }];
  }
}
