import { branchTip, isAncestor } from '../../git/refs.ts';
import { finishMerge } from '../worktrees/merge-worktree.ts';
import type { MergeRecord } from '../worktrees/recorded-merge.ts';
import { mergeInBranch } from '../worktrees/recorded-merge.ts';
import { nextMove } from './next-move.ts';
import { readHistory, type WorkHistory } from './past-runs.ts';
import type { HeldTask } from './task-loop.ts';
import { untilReachable } from './until-reachable.ts';
import type { WorkItem } from './work-item.ts';
import type { WorkRun } from './work-run.ts';

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
  const history = await readHistory(ledger, projectId, item.taskId);
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
function isLastMerge({ records, runs: [last], past }: WorkHistory): boolean {
  const latest = records.findLast(({ kind }) => steps.has(kind));
  if (latest?.kind !== 'merge' || nextMove(past).kind !== 'verify') return false;
  return last === undefined || last.startedAt <= latest.at;
}

const steps = new Set(['merge', 'implementation', 'reopened', 'failed']);

/** Somebody committed to the branch after the merge. */
async function hasGrown(commonDir: string, branch: string, { data }: MergeRecord): Promise<boolean> {
  const tip = await branchTip(commonDir, branch);
  return tip !== undefined && !(await isAncestor(commonDir, tip, data.commit));
}
