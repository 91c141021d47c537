import { crashPoint } from '../../../ledger/crash-point.ts';
import type { NewPhaseRecord, PhaseRecord } from '../../../schema/phase-record.ts';
import { requireTaskPermit } from '../../phases/phase-standing.ts';
import { checkAutonomy } from '../../run/check-autonomy.ts';
import { checkReview } from '../../run/check-review.ts';
import { checkWork } from '../../run/check-work.ts';
import { executeWork } from '../../run/execute-work.ts';
import { takeUpMerge } from '../../run/merge-work.ts';
import type { HeldTask } from '../../run/task-loop.ts';
import type { HeldWork, TaskRun } from '../../run/work-run.ts';
import { taskBranch } from '../../worktrees/worktree-branch.ts';
import { taskItem } from './task-item.ts';

/** Executes a task without a plan as far as possible: one task, one branch. */
export async function executeTask(run: TaskRun, held: HeldTask): Promise<void> {
  const { fence } = held.task;
  const git = { ...run.around.git, confirm: held.confirm, signal: held.signal, fence };
  const own = { ...run, around: { ...run.around, git, fence } };
  const work = { run: own, held, item: taskItem(run, held.task) };
  const branch = taskBranch(run.featureBranch, held.task.id);
  const close = () => closeMerged(work, branch);
  if (await takeUpMerge(work, branch)) return close();
  return executeWork(work, {
    wanted: { branch, feature: run.featureBranch, plan: null, phase: null, variant: null },
    begin: async (worktree) => {
      await recordStart(work, worktree.branch);
      return { ...work, worktree };
    },
    checks: [checkWork, checkReview, checkAutonomy],
    close,
  });
}

async function recordStart({ run, held }: HeldWork, branch: string): Promise<void> {
  const { ledger, projectId, by } = run.around;
  const { id, fence } = held.task;
  const begin = (records: PhaseRecord[]): NewPhaseRecord | undefined => {
    const last = records.findLast((each) => each.kind === 'started');
    const data = { specialist: run.driver.name };
    if (last?.branch === branch && last.data.specialist === data.specialist) return undefined;
    return { kind: 'started', iteration: 1, data, branch };
  };
  await ledger.phases.append(projectId, id, by, begin, fence);
  crashPoint('start.recorded');
}

async function closeMerged({ run, held, item }: HeldWork, branch: string): Promise<void> {
  const { ledger, projectId, by, git } = run.around;
  const { id, fence } = held.task;
  const worktree = await ledger.worktrees.find(projectId, branch);
  if (worktree) await requireTaskPermit('close', { ledger, projectId, git }, id, worktree);
  await ledger.tasks.close(projectId, id, by, fence);
  crashPoint('complete.closed');
  run.tell(item, `done: merged into ${run.featureBranch}`);
}
