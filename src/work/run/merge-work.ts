import { branchTip, commitOf, isAncestor } from '../../git/refs.ts';
import type { By } from '../../schema/actor.ts';
import { Refusal } from '../../schema/refusal.ts';
import { mergeFeature } from '../worktrees/exchange/merge-feature.ts';
import { pushWork } from '../worktrees/exchange/push-work.ts';
import { featureRef, usesRemote } from '../worktrees/exchange/remote-context.ts';
import { finishMerge, mergeWorktree } from '../worktrees/merge-worktree.ts';
import { type OpenWorktree, openWorktree, type WantedWorktree } from '../worktrees/open-worktree.ts';
import { type MergeRecord, mergeInBranch } from '../worktrees/recorded-merge.ts';
import { autonomyOf } from './check-autonomy.ts';
import { type History, readHistory } from './history.ts';
import { nextStep } from './next-step.ts';
import type { Checked } from './perform.ts';
import { untilReachable } from './until-reachable.ts';
import type { HeldWork, TaskContext } from './work-run.ts';

/** Opens the worktree of a phase or task, including everything merged before on any machine. */
export function openPatiently(work: HeldWork, wanted: WantedWorktree): Promise<OpenWorktree> {
  const { run, held, item } = work;
  const tell = (sentence: string) => run.tell(item, sentence);
  const { confirm, signal } = held;
  const git = { ...run.around.git, confirm, signal, fence: held.task.fence, tell };
  return patiently(work, () => openWorktree(git, wanted));
}

/** Merges what others finished into the work on a phase, and pushes it. Does nothing without a remote. */
export async function exchangeWork(context: TaskContext): Promise<Checked> {
  const { git } = context.run.around;
  if (!usesRemote(git)) return { kind: 'pass' };
  return patiently(context, async () => {
    const merged = await mergedOrConflict(context, () => mergeFeature(git, context.worktree));
    await push(context);
    return merged;
  });
}

/** Pushes the commits of a phase or task, so that another machine can continue. */
export async function publishWork(context: TaskContext): Promise<void> {
  if (usesRemote(context.run.around.git)) await patiently(context, () => push(context));
}

async function push({ run, held, worktree }: TaskContext): Promise<void> {
  const { git } = run.around;
  if (usesRemote(git)) await pushWork({ ...git, fence: held.task.fence }, worktree.branch);
}

async function mergedOrConflict(context: TaskContext, merge: () => Promise<string>): Promise<Checked> {
  try {
    return { kind: 'pass', checkedWith: await merge() };
  } catch (error) {
    if (!(error instanceof Refusal) || error.type !== 'merge_conflict') throw error;
    return conflict(context, error);
  }
}

/** An agent has to merge the feature branch as it is now. */
async function conflict({ run, worktree }: TaskContext, error: Refusal): Promise<Checked> {
  const { git } = run.around;
  const merges = await commitOf(git.commonDir, featureRef(git, worktree.featureBranch));
  const findings = `${error.message}\n\n${JSON.stringify(error.details, null, 2)}`;
  return { kind: 'send_back', purpose: 'merge', findings, ...(merges && { merges }) };
}

/** Waits for an unavailable remote. */
const patiently = <T>({ run, held, item }: HeldWork, work: () => Promise<T>): Promise<T> =>
  untilReachable({ signal: held.signal, tell: (sentence) => run.tell(item, sentence) }, work);

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
export async function takeUpMerge(work: HeldWork, branch: string): Promise<boolean> {
  const { run, held, item } = work;
  const { ledger, projectId, git } = run.around;
  const history = await readHistory(ledger, { projectId, source: 'execute', sourceId: item.taskId });
  if (!isLastMerge(history)) return false;
  const worktree = await ledger.worktrees.find(projectId, branch);
  if (!worktree) return false;
  const merge = await patiently(work, () => mergeInBranch(git, worktree, history.records));
  if (!merge || (await hasGrown(git.commonDir, branch, merge))) return false;
  await held.confirm();
  await finishMerge(git, worktree, merge.data);
  run.tell(item, 'was merged already; closes it');
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
