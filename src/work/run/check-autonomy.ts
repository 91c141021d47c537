import { forksOf, isAncestor } from '../../git/refs.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Notification } from '../../schema/notification.ts';
import { Refusal } from '../../schema/refusal.ts';
import { type AutonomyResult, enforceAutonomy, rejectionText } from '../autonomy/enforce-autonomy.ts';
import { findChanges, ownPhaseOf } from '../autonomy/find-changes.ts';
import { finishedWork } from '../autonomy/finished-work.ts';
import { branchRef, featureRef } from '../worktrees/exchange/remote-context.ts';
import type { History } from './history.ts';
import type { Checked } from './perform.ts';
import type { TaskContext } from './work-run.ts';

/** Whether an agent's changes to dependencies and to files that steer may be merged. */
export async function checkAutonomy(context: TaskContext, history: History): Promise<Checked> {
  // The commit that will be merged, wherever the agent left its HEAD.
  const result = await autonomyOf(context, history, branchRef(context.worktree.branch));
  switch (result.kind) {
    case 'proceed':
      return { kind: 'pass' };
    case 'waiting':
      return { kind: 'wait' };
    case 'rejected':
      return afterRejection(context, result.notification);
    default: {
      const never: never = result;
      return never;
    }
  }
}

/** A rejected part is undone; finished work of a task is changed as the person says. */
async function afterRejection({ run, item }: TaskContext, rejected: Notification): Promise<Checked> {
  if (!rejected.questions[0]?.id.startsWith('work-')) {
    const findings = `A person rejected this. Undo it, and do the ${item.kind} without it.\n\n${rejectionText(rejected)}`;
    return { kind: 'send_back', purpose: 'fix', findings };
  }
  const [response] = rejected.responses;
  const findings = (response?.kind === 'answered' ? response.note : rejected.reason)?.trim() ?? '';
  if (findings !== '') return { kind: 'send_back', purpose: 'refine', findings };
  const { ledger, projectId } = run.around;
  if ((await ledger.tasks.queued(projectId, item.taskId)).length > 0) return { kind: 'moved' };
  const { name } = rejected.resolvedBy?.actor ?? { name: 'A person' };
  throw new Refusal(
    'rejected',
    `${name} rejected the work and did not say why. Say what to change (${cmd`tasks say ${item.taskId} TEXT`}), then: ${item.resume}`,
  );
}

/** The first changes that a person has to decide on or rejected; otherwise who approved them. */
export async function autonomyOf(
  context: TaskContext,
  history: History,
  revision: string,
): Promise<AutonomyResult> {
  const { run, held, item, worktree } = context;
  const { ledger, projectId, by } = run.around;
  const { id: taskId, fence } = held.task;
  let allowed: AutonomyResult = { kind: 'proceed' };
  const { tip, onto, begun } = await beginningsOf(context, history, revision);
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

interface Beginnings {
  tip: string;
  /** The fork from the current feature branch, because an agent that merged it could revert what people approved there. */
  onto: string | undefined;
  /** Where the agent began. */
  begun: string;
}

/** Where the work began, from the feature branch and from our own records, because an agent could move a branch. */
async function beginningsOf(
  { run, worktree }: TaskContext,
  { runs }: History,
  revision: string,
): Promise<Beginnings> {
  const { path: folder, branch, featureBranch } = worktree;
  const { ledger, projectId, git } = run.around;
  const { baseCommit } = (await ledger.worktrees.find(projectId, branch)) ?? worktree;
  const feature = featureRef(git, featureBranch);
  const [own, onto] =
    (await forksOf(folder, revision, [baseCommit, feature])) ??
    (await forksOf(folder, revision, [baseCommit])) ??
    [];
  if (!own)
    throw new Refusal(
      'no_branch',
      `Branch ${branch}, or the commit ${baseCommit} where it began, no longer exists.`,
    );
  const merges = runs.flatMap(({ data }) => (data.for === 'task' ? (data.merges ?? []) : []));
  // A branch that existed before may have begun earlier.
  const begun = (await begunAtMerge(folder, { tip: own.tip, baseCommit, merges })) ?? own.base;
  if (begun === undefined)
    throw new Refusal('no_base', `${branch} has no commit in common with ${baseCommit}, where it began.`);
  return { tip: own.tip, onto: onto?.base, begun };
}

/** What an agent was told to merge does not count as its own work, because people were asked about it in other phases. */
async function begunAtMerge(
  folder: string,
  { tip, baseCommit, merges }: { tip: string; baseCommit: string; merges: string[] },
): Promise<string | undefined> {
  for (const merged of merges) {
    if (!(await isAncestor(folder, merged, tip))) continue;
    // With a remote, we may have merged more of the feature branch since.
    const isOlder = await isAncestor(folder, merged, baseCommit);
    return isOlder && (await isAncestor(folder, baseCommit, tip)) ? baseCommit : merged;
  }
  return undefined;
}
