import type { Ledger } from '../../ledger/ledger.ts';
import type { Worktree } from '../../schema/worktree.ts';

/** The worktree in which the work on a task began, on any machine. */
export async function worktreeOf(
  ledger: Ledger,
  projectId: string,
  taskId: string,
): Promise<Worktree | undefined> {
  const started = (await ledger.phases.list(projectId, taskId)).findLast(({ kind }) => kind === 'started');
  return started?.branch ? ledger.worktrees.find(projectId, started.branch) : undefined;
}
