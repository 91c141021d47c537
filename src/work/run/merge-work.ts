import { branchTip, isAncestor } from '../../git/refs.ts';
import type { By } from '../../schema/actor.ts';
import { Refusal } from '../../schema/refusal.ts';
import { finishMerge, mergeWorktree } from '../worktrees/merge-worktree.ts';
import { type MergeRecord, mergeInBranch } from '../worktrees/recorded-merge.ts';
import { autonomyOf } from './check-autonomy.ts';
import { conflict, patiently } from './exchange-work.ts';
import { type History, readHistory } from './history.ts';
import { nextStep } from './next-step.ts';
import type { Checked } from './perform.ts';
import type { HeldTask } from './task-loop.ts';
import { untilReachable } from './until-reachable.ts';
import type { TaskContext, WorkItem, WorkRun } from './work-run.ts';

/** The work changed after the first check. */
const toJudgeAgain = new Set(['now_rejected', 'changed_after_test', 'changed_after_choice', 'feature_moved']);

/** Merges the work of a phase or task, unless something prevents it. */
export async function mergeWork(
  context: TaskContext,
  history: History,
  checkedWith: string | undefined,
): Promise<Checked> {
  const { run, worktree } = context;
  try {
    // The agent's work was committed before its gates ran, so what is new comes from them, such as a report.
    await patiently(context, () =>
      mergeWorktree(run.around.git, worktree, {
        untracked: 'leave',
        allow: (tip) => stillAllowed(context, history, tip),
        ...(checkedWith === undefined ? {} : { checkedWith }),
      }),
    );
    return { kind: 'pass' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.type === 'now_waiting') return { kind: 'wait' };
    if (toJudgeAgain.has(error.type)) return { kind: 'moved' };
    if (error.type !== 'merge_conflict') throw error;
    return conflict(context, error);
  }
}

/** The run may have waited for people since the first check, and the branch may have moved. */
async function stillAllowed(context: TaskContext, history: History, tip: string): Promise<By | undefined> {
  const allowed = await autonomyOf(context, history, tip);
  if (allowed.kind === 'proceed') return allowed.approvedBy;
  const { branch } = context.worktree;
  throw new Refusal(`now_${allowed.kind}`, `${branch} changed after it was checked.`);
}

/**
 * Whether a process merged this work and died before it closed the phase or task. Completes that merge: no agent, gate
 * command or second merge is needed.
 */
export async function takeUpMerge(
  run: WorkRun,
  held: HeldTask,
  item: WorkItem,
  branch: string,
): Promise<boolean> {
  const { ledger, projectId, git } = run.around;
  const history = await readHistory(ledger, { projectId, source: 'execute', sourceId: item.taskId });
  if (!isLastMerge(history)) return false;
  const worktree = await ledger.worktrees.find(projectId, branch);
  if (!worktree) return false;
  const tell = (sentence: string) => run.tell(item, sentence);
  const patient = { signal: held.signal, tell };
  const merge = await untilReachable(patient, () => mergeInBranch(git, worktree, history.records));
  if (!merge || (await hasGrown(git.commonDir, branch, merge))) return false;
  await held.confirm();
  await finishMerge(git, worktree, merge.data);
  tell('was merged already; closes it');
  return true;
}

/** Nothing was done since the last merge was begun, and nothing else has to be done first. */
function isLastMerge(history: History): boolean {
  const { records, runs } = history;
  const [last] = runs;
  const latest = records.findLast(({ kind }) => steps.has(kind));
  if (latest?.kind !== 'merge' || nextStep(history, { asksPeople: true }).kind !== 'judge') return false;
  return last === undefined || last.startedAt <= latest.at;
}

const steps = new Set(['merge', 'implementation', 'reopened', 'failed']);

/** Somebody committed to the branch after the merge. */
async function hasGrown(commonDir: string, branch: string, { data }: MergeRecord): Promise<boolean> {
  const tip = await branchTip(commonDir, branch);
  return tip !== undefined && !(await isAncestor(commonDir, tip, data.commit));
}
