import { git, tryGit } from '../../git/git.ts';
import { isAncestor } from '../../git/refs.ts';
import type { By } from '../../schema/actor.ts';
import type { Notification } from '../../schema/notification.ts';
import { type AutonomyResult, enforceAutonomy, rejectionText } from '../autonomy/enforce-autonomy.ts';
import { findChanges, ownPhaseOf } from '../autonomy/find-changes.ts';
import { finishedWork } from '../autonomy/finished-work.ts';
import { featureRef } from '../worktrees/exchange/remote-context.ts';
import type { TaskContext } from './task-context.ts';

type Allowed =
  | { kind: 'proceed'; approvedBy?: By }
  | { kind: 'waiting' }
  | { kind: 'rejected'; notification: Notification; findings: string };

/** Whether an agent's changes to dependencies and to files that steer may be merged. */
export async function checkAutonomy(context: TaskContext, commit?: string): Promise<Allowed> {
  const { path: folder, branch } = context.worktree;
  // The commit that will be merged, wherever the agent left its HEAD.
  const tip = commit ?? (await git(folder, ['rev-parse', '--verify', `refs/heads/${branch}`]));
  const result = await verdictOn(context, tip);
  switch (result.kind) {
    case 'proceed':
      return result;
    case 'waiting':
      return { kind: 'waiting' };
    case 'rejected': {
      const said = rejectionText(result.notification);
      const findings = `A person rejected this. Undo it, and do the ${context.item.kind} without it.\n\n${said}`;
      return { kind: 'rejected', notification: result.notification, findings };
    }
    default: {
      const never: never = result;
      return never;
    }
  }
}

/** The first changes that a person has to decide on or rejected; otherwise who approved them. */
async function verdictOn(context: TaskContext, tip: string): Promise<AutonomyResult> {
  const { run, held, item, worktree } = context;
  const { ledger, projectId, by } = run.around;
  const { id: taskId, fence } = held.task;
  let allowed: AutonomyResult = { kind: 'proceed' };
  const onto = await mergeBase(context, tip);
  const begun = await baseOf(context, tip);
  for (const base of new Set([...(onto === undefined ? [] : [onto]), begun])) {
    const span = { folder: worktree.path, base, tip };
    const found = await findChanges(span, ownPhaseOf(worktree));
    const about = base === onto && base !== tip ? await item.aboutMerge?.() : undefined;
    const said = about === undefined ? undefined : { into: worktree.featureBranch, about };
    const changes = said ? { ...found, work: await finishedWork(span, found, said) } : found;
    const result = await enforceAutonomy(ledger, { projectId, taskId, fence, changes, by });
    if (result.kind !== 'proceed') return result;
    if (result.approvedBy) allowed = result;
  }
  return allowed;
}

/** The current feature branch, because an agent that merged it could revert what people approved there. */
async function mergeBase({ run, worktree }: TaskContext, tip: string): Promise<string | undefined> {
  const { path: folder, featureBranch } = worktree;
  const args = ['merge-base', tip, featureRef(run.around.git, featureBranch)];
  const { code, stdout } = await tryGit(folder, args);
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

/**
 * Where the agent began, from our own records, because it could move a branch. What it was told to merge came from other
 * phases, where people were asked about it.
 */
async function baseOf({ run, held, worktree }: TaskContext, tip: string): Promise<string> {
  const { path: folder, branch } = worktree;
  const { ledger, projectId } = run.around;
  const { baseCommit } = (await ledger.worktrees.find(projectId, branch)) ?? worktree;
  for (const { data } of await ledger.runs.of(projectId, 'execute', held.task.id)) {
    if (data.for !== 'task' || data.merges === undefined || !(await isAncestor(folder, data.merges, tip)))
      continue;
    // With a remote, we may have merged more of the feature branch since.
    const isOlder = await isAncestor(folder, data.merges, baseCommit);
    return isOlder && (await isAncestor(folder, baseCommit, tip)) ? baseCommit : data.merges;
  }
  // A branch that existed before may have begun earlier.
  return git(folder, ['merge-base', tip, baseCommit]);
}
