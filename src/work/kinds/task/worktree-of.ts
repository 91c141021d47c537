import type { Ledger } from '../../../ledger/ledger.ts';
import type { Worktree } from '../../../schema/worktree.ts';
import { noWorktree } from '../../review/review-phase.ts';

/** The worktree in which the work on a task began, on any machine. */
export async function worktreeOf(
  ledger: Ledger,
  projectId: string,
  taskId: string,
): Promise<Worktree | undefined> {
  const started = (await ledger.phases.list(projectId, taskId)).findLast(({ kind }) => kind === 'started');
  return started?.branch ? ledger.worktrees.find(projectId, started.branch) : undefined;
}

/** The same for a phase, which a plan has; throws if there is none. */
export async function planWorktree(
  ledger: Ledger,
  projectId: string,
  taskId: string,
): Promise<Worktree & { plan: string }> {
  return withPlan(await worktreeOf(ledger, projectId, taskId), taskId);
}

export function withPlan<Each extends Worktree>(
  worktree: Each | undefined,
  taskId: string,
): Each & { plan: string } {
  if (!worktree || worktree.plan === null) throw noWorktree(taskId);
  return { ...worktree, plan: worktree.plan };
}
