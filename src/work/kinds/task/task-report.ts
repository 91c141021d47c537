import { openIn } from '../../../channels/asked.ts';
import type { PlanRunResult } from '../../../schema/plan-run.ts';
import { questionTitle } from '../../../schema/question-title.ts';
import { isAsking } from '../../../schema/task.ts';
import type { TaskRun } from '../../run/work-run.ts';

/** How work on a task ended, for people and programs. */
export interface TaskReport {
  result: PlanRunResult;
  task: string;
  title: string;
  status: string;
  /** Why it is blocked, if it is. */
  reason?: string;
  /** The branch it is merged into. */
  into: string;
  branch: string | null;
  worktree: string | null;
  merged: boolean;
  checks: string[];
  open: { id: string; question: string }[];
}

export async function taskReport(run: TaskRun, taskId: string, interrupted: boolean): Promise<TaskReport> {
  const { ledger, projectId } = run.around;
  const task = await ledger.tasks.get(projectId, taskId);
  const records = await ledger.phases.list(projectId, taskId);
  const branch = records.findLast(({ kind }) => kind === 'started')?.branch ?? null;
  const worktree = branch === null ? undefined : await ledger.worktrees.find(projectId, branch);
  const open = (await openIn(ledger, projectId)).filter(({ sourceId }) => sourceId === taskId);
  const { title, status, blockReason } = task;
  const failed = status === 'blocked' && !isAsking(task);
  return {
    result: status === 'closed' ? 'done' : interrupted ? 'interrupted' : failed ? 'failed' : 'waiting',
    task: taskId,
    title,
    status,
    ...(blockReason === null ? {} : { reason: blockReason }),
    into: run.featureBranch,
    branch,
    worktree: worktree?.path ?? null,
    merged: worktree?.state === 'merged',
    checks: run.checks.flatMap(({ command }) => command ?? []),
    open: open.map(({ id, questions: [first] }) => ({ id, question: first ? questionTitle(first) : '' })),
  };
}
