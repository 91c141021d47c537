import { commitOf } from '../../git/refs.ts';
import { Refusal } from '../../schema/refusal.ts';
import { mergeFeature } from '../worktrees/exchange/merge-feature.ts';
import { pushWork } from '../worktrees/exchange/push-work.ts';
import { featureRef, usesRemote } from '../worktrees/exchange/remote-context.ts';
import { type OpenWorktree, openWorktree, type WantedWorktree } from '../worktrees/open-worktree.ts';
import type { Checked } from './perform.ts';
import type { HeldTask } from './task-loop.ts';
import { untilReachable } from './until-reachable.ts';
import type { TaskContext, WorkItem, WorkRun } from './work-run.ts';

/** Opens the worktree of a phase or task, including everything merged before on any machine. Waits for an unavailable remote. */
export function openPatiently(
  run: WorkRun,
  held: HeldTask,
  item: WorkItem,
  wanted: WantedWorktree,
): Promise<OpenWorktree> {
  const tell = (sentence: string) => run.tell(item, sentence);
  const { confirm, signal } = held;
  const git = { ...run.around.git, confirm, signal, fence: held.task.fence, tell };
  return untilReachable({ signal, tell }, () => openWorktree(git, wanted));
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

/** Pushes the commits of a phase, so that another machine can continue. */
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
export async function conflict({ run, worktree }: TaskContext, error: Refusal): Promise<Checked> {
  const { git } = run.around;
  const merges = await commitOf(git.commonDir, featureRef(git, worktree.featureBranch));
  const findings = `${error.message}\n\n${JSON.stringify(error.details, null, 2)}`;
  return { kind: 'send_back', purpose: 'merge', findings, ...(merges && { merges }) };
}

/** Waits for an unavailable remote. */
export const patiently = <T>({ run, held, item }: TaskContext, work: () => Promise<T>): Promise<T> =>
  untilReachable({ signal: held.signal, tell: (sentence) => run.tell(item, sentence) }, work);
