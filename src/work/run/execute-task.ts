import { crashPoint } from '../../ledger/crash-point.ts';
import type { NewPhaseRecord, PhaseRecord } from '../../schema/phase-record.ts';
import { taskBranch } from '../worktrees/worktree-branch.ts';
import { openPatiently } from './exchange-work.ts';
import { executeWork } from './execute-work.ts';
import type { TaskContext } from './task-context.ts';
import { taskItem } from './task-item.ts';
import type { HeldTask } from './task-loop.ts';
import type { TaskRun } from './task-run.ts';
import { verifyTask } from './verify-task.ts';

/** Executes a task without a plan as far as possible: one task, one branch. */
export async function executeTask(run: TaskRun, held: HeldTask): Promise<void> {
  return executeWork(await openContext(run, held), verifyTask);
}

async function openContext(run: TaskRun, held: HeldTask): Promise<TaskContext> {
  const { id, fence } = held.task;
  const git = { ...run.around.git, confirm: held.confirm, signal: held.signal, fence };
  const around = { ...run.around, git, fence };
  const feature = run.featureBranch;
  const item = taskItem(run, held.task);
  const worktree = await openPatiently({ ...run, around }, held, item, {
    branch: taskBranch(feature, id),
    feature,
    plan: null,
    phase: null,
    variant: null,
  });
  const { ledger, projectId, by } = around;
  const begin = (records: PhaseRecord[]): NewPhaseRecord | undefined => {
    const last = records.findLast((each) => each.kind === 'started');
    if (last?.branch === worktree.branch && last.data.specialist === run.driver.name) return undefined;
    const data = { specialist: run.driver.name };
    return { kind: 'started', iteration: 1, data, branch: worktree.branch };
  };
  await ledger.phases.append(projectId, id, by, begin, fence);
  crashPoint('start.recorded');
  return { run: { ...run, around }, held, item, worktree };
}
