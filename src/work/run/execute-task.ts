import { crashPoint } from '../../ledger/crash-point.ts';
import type { NewPhaseRecord, PhaseRecord } from '../../schema/phase-record.ts';
import { requireTaskPermit } from '../phases/phase-standing.ts';
import { taskBranch } from '../worktrees/worktree-branch.ts';
import { checkAutonomy } from './check-autonomy.ts';
import { checkReview } from './check-review.ts';
import { checkWork } from './check-work.ts';
import { openPatiently } from './exchange-work.ts';
import { executeWork, passes } from './execute-work.ts';
import type { History } from './history.ts';
import { mergeWork, takeUpMerge } from './merge-work.ts';
import type { Verdict } from './perform.ts';
import { taskItem } from './task-item.ts';
import type { HeldTask } from './task-loop.ts';
import type { TaskContext, TaskRun, WorkItem } from './work-run.ts';

/** Executes a task without a plan as far as possible: one task, one branch. */
export async function executeTask(run: TaskRun, held: HeldTask): Promise<void> {
  const { fence } = held.task;
  const git = { ...run.around.git, confirm: held.confirm, signal: held.signal, fence };
  const own = { ...run, around: { ...run.around, git, fence } };
  const item = taskItem(run, held.task);
  const branch = taskBranch(run.featureBranch, held.task.id);
  if (await takeUpMerge(own, held, item, branch)) return closeMerged(own, held, item, branch);
  const context = await openContext(own, held, item, branch);
  return executeWork(context, (history) => judgeTask(context, history));
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

/** Checks a task whose agent says that it is done, and merges it. */
async function judgeTask(context: TaskContext, history: History): Promise<Verdict<void>> {
  const { run, held, item, worktree } = context;
  const checked = await passes([checkWork, checkReview, checkAutonomy], context, history);
  if (checked.kind !== 'pass') return checked;
  const merged = await mergeWork(context, history, checked.checkedWith);
  if (merged.kind !== 'pass') return merged;
  await closeMerged(run, held, item, worktree.branch);
  return { kind: 'ended', result: undefined };
}

/** Ends a task whose work is merged. */
async function closeMerged(
  run: TaskContext['run'],
  held: HeldTask,
  item: WorkItem,
  branch: string,
): Promise<void> {
  const { ledger, projectId, by, git } = run.around;
  const { id, fence } = held.task;
  const worktree = await ledger.worktrees.find(projectId, branch);
  if (worktree) await requireTaskPermit('close', { ledger, projectId, git }, id, worktree);
  await ledger.tasks.close(projectId, id, by, fence);
  crashPoint('complete.closed');
  run.tell(item, `done: merged into ${run.featureBranch}`);
}
