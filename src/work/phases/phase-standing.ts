import { branchTip, forkOf, isAncestor } from '../../git/refs.ts';
import { levelOf } from '../../ledger/decisions/autonomy.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { renderProtocol } from '../../protocols/render.ts';
import { resolveProtocol } from '../../protocols/resolve-protocol.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { gatesOf } from '../gates/human-gates.ts';
import { ownWork } from '../gates/own-work.ts';
import { contentOf } from '../gates/seen-content.ts';
import { wantsReview } from '../review/review-missing.ts';
import { protocolFor } from './front-matter.ts';
import {
  mayProceed,
  type Permit,
  type PhaseAction,
  type PhaseStanding,
  type TaskStanding,
} from './may-proceed.ts';
import type { PhaseTask } from './phase-task.ts';

/** Where the records of a phase are. */
export interface PhaseSource {
  ledger: Ledger;
  projectId: string;
  /** The plan's name. */
  name: string;
  /** The repository, to see whether a branch grew after it was merged. */
  git?: { commonDir: string } | undefined;
  /** The commit to merge, if it is already known. */
  tip?: string;
  /** The folder of the protocols that apply; needed for a merge. */
  root?: string;
}

/** Throws unless the phase may be merged, completed or closed now. */
export async function requirePermit(
  action: PhaseAction,
  source: PhaseSource,
  at: PhaseTask,
  worktree?: Worktree,
): Promise<void> {
  requireAllowed(mayProceed(action, await phaseStanding(source, at, worktree)));
}

/** The same for a task without a plan. */
export async function requireTaskPermit(
  action: PhaseAction,
  source: Omit<PhaseSource, 'name'>,
  taskId: string,
  worktree: Worktree,
): Promise<void> {
  requireAllowed(mayProceed(action, await taskStanding(source, taskId, worktree)));
}

function requireAllowed(permit: Permit): void {
  if (permit.kind === 'allowed') return;
  const { type, reason, nextStep, data } = permit;
  throw new Refusal(type, reason, { suggestion: nextStep, ...(data ? { data } : {}) });
}

async function taskStanding(
  source: Omit<PhaseSource, 'name'>,
  taskId: string,
  own: Worktree,
): Promise<TaskStanding> {
  const { ledger, projectId } = source;
  const [records, approvals, hilConfig, reviewSince, { worktree }] = await Promise.all([
    ledger.phases.list(projectId, taskId),
    ledger.notifications.asked(projectId, 'approval', taskId),
    ledger.projects.hilConfig(projectId),
    reviewSinceOf(source, taskId, TASK_PROTOCOL),
    worktreesOf(source, own, true),
  ]);
  const isLevel = levelOf('scope', hilConfig) === 'requires_approval';
  const needsApproval = isLevel && !(await isInFeature(source, own));
  return { taskId, records, approvals, needsApproval, reviewSince, worktree };
}

/** A task without a plan is reviewed if this protocol requires it. */
export const TASK_PROTOCOL = 'implementation';

async function phaseStanding(
  source: PhaseSource,
  at: PhaseTask,
  worktree: Worktree | undefined,
): Promise<PhaseStanding> {
  const { ledger, projectId } = source;
  const records = await ledger.phases.list(projectId, at.taskId);
  const branch = records.findLast((each) => each.kind === 'started')?.branch;
  const own = worktree ?? (branch ? await ledger.worktrees.find(projectId, branch) : undefined);
  const [gates, reviewSince] = await Promise.all([
    gatesOf(source, at),
    reviewSinceOf(source, at.taskId, protocolFor(at.front)),
  ]);
  // The content is only compared with what a person or a reviewer saw.
  const wasSeen = gates.length > 0 || records.some(({ kind }) => kind === 'review');
  const worktrees = await worktreesOf(source, own, wasSeen);
  return { at, records, gates, reviewSince, ...worktrees };
}

async function reviewSinceOf(
  { ledger, projectId, root }: Omit<PhaseSource, 'name'>,
  taskId: string,
  name: string,
): Promise<string | undefined> {
  const [last] = root === undefined ? [] : await ledger.runs.of(projectId, 'execute', taskId);
  if (!last || root === undefined) return undefined;
  const protocol = await resolveProtocol(name, { folder: root });
  return wantsReview(renderProtocol(protocol)) ? last.startedAt : undefined;
}

async function worktreesOf(
  { ledger, projectId, git, tip }: Omit<PhaseSource, 'name'>,
  own: Worktree | undefined,
  withContent: boolean,
): Promise<Pick<PhaseStanding, 'worktree' | 'mergedVariant'>> {
  if (!own) return { worktree: undefined, mergedVariant: undefined };
  const { branch, state, featureBranch, plan, phase, variant } = own;
  const other = (await ledger.worktrees.list(projectId)).find(
    (each) =>
      each.state === 'merged' &&
      each.featureBranch === featureBranch &&
      each.plan === plan &&
      each.phase === phase &&
      each.variant !== variant,
  );
  const isMerged = state === 'merged' && (!git || (await isIn(git.commonDir, branch, own)));
  const folder = withContent && !isMerged ? git?.commonDir : undefined;
  const commit = folder && (tip ?? (await branchTip(folder, branch)));
  const seen = folder && commit && (await ownWork(folder, commit, featureBranch));
  const content = folder && seen && (await contentOf(folder, seen, plan));
  return {
    worktree: { branch, state, isMerged, ...(content === undefined ? {} : { content }) },
    mergedVariant: other?.branch,
  };
}

/** Whether there is nothing left to merge. */
const isInFeature = async ({ git }: Omit<PhaseSource, 'name'>, worktree: Worktree) =>
  git !== undefined && (await isIn(git.commonDir, worktree.branch, worktree));

/** A deleted branch cannot have grown. */
async function isIn(
  commonDir: string,
  branch: string,
  { mergeCommit, featureBranch }: Worktree,
): Promise<boolean> {
  const own = `refs/heads/${branch}`;
  if (mergeCommit !== null && (await isAncestor(commonDir, own, mergeCommit))) return true;
  const fork = await forkOf(commonDir, own, `refs/heads/${featureBranch}`);
  return fork ? fork.base === fork.tip : (await branchTip(commonDir, branch)) === undefined;
}
