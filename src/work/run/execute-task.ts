import { crashPoint } from '../../ledger/crash-point.ts';
import type { NewPhaseRecord, PhaseRecord } from '../../schema/phase-record.ts';
import { taskBranch } from '../worktrees/worktree-branch.ts';
import { openPatiently } from './exchange-work.ts';
import { executeWork } from './execute-work.ts';
import { takeUpMerge } from './take-up-merge.ts';
import type { TaskContext } from './task-context.ts';
import { taskItem } from './task-item.ts';
import type { HeldTask } from './task-loop.ts';
import type { TaskRun } from './task-run.ts';
import { closeMerged, verifyTask } from './verify-task.ts';
import type { WorkItem } from './work-item.ts';

/** Executes a task without a plan as far as possible: one task, one branch. */
export async function executeTask(run: TaskRun, held: HeldTask): Promise<void> {
  const { fence } = held.task;
  const git = { ...run.around.git, confirm: held.confirm, signal: held.signal, fence };
  const own = { ...run, around: { ...run.around, git, fence } };
  const item = taskItem(run, held.task);
  const branch = taskBranch(run.featureBranch, held.task.id);
  if (await takeUpMerge(own, held, item, branch)) return closeMerged(own, held, item, branch);
  return executeWork(await openContext(own, held, item, branch), verifyTask);
}

async function openContext(
  run: TaskRun,
  held: HeldTask,
  item: WorkItem,
  branch: string,
): Promise<TaskContext> {
  const { id, fence } = held.task;
  const wanted = { branch, feature: run.featureBranch, plan: null, phase: null, variant: null };
  const worktree = await openPatiently(run, held, item, wanted);
  const { ledger, projectId, by } = run.around;
  const begin = (records: PhaseRecord[]): NewPhaseRecord | undefined => {
    const last = records.findLast((each) => each.kind === 'started');
    if (last?.branch === worktree.branch && last.data.specialist === run.driver.name) return undefined;
    const data = { specialist: run.driver.name };
    return { kind: 'started', iteration: 1, data, branch: worktree.branch };
  };
  await ledger.phases.append(projectId, id, by, begin, fence);
  crashPoint('start.recorded');
  return { run, held, item, worktree };
}
