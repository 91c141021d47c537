import { basename } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { currentBranch } from '../../git/refs.ts';
import { shownAddress } from '../../git/remote/address.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { RoleKind, TaskOptions, WorkOf, WorkTask } from '../../schema/work.ts';
import {
  type AgentOptions,
  agentOptions,
  refuseUnknownAgent,
  type SaidAgent,
} from '../agent/choose-agent.ts';
import type { Context } from '../context.ts';
import { agentFor } from '../kinds/roles/consult-role.ts';
import { joinProject } from '../projects/join-project.ts';
import { publishFeature } from '../worktrees/exchange/publish-feature.ts';
import { usesRemote } from '../worktrees/exchange/remote-context.ts';
import { worktreeContextAt } from '../worktrees/worktree-context.ts';
import { needsOf } from './place-order.ts';
import { type PlanKind, planName } from './task-names.ts';

export interface QueueWorkOptions extends AgentOptions {
  timeoutMs?: number;
  parkAfterMs?: number;
  backgroundWaitMs?: number;
  /** What a worker must have besides the agent. */
  needs?: string[];
  /** The ability of the only worker that may do it. */
  here?: string;
}

export interface QueuedWork {
  /** The task by which a worker takes it. */
  task: string;
  needs: string[];
  /** The branch whose files the agent sees; empty outside of a repository. */
  branch: string;
  /** Where workers get it; null: only a worker on this machine can do it. */
  remote: string | null;
}

/** Where the files are that the work reads. */
type Source = Pick<TaskOptions, 'featureBranch' | 'remote'>;

/** Has a worker write a plan. */
export async function queuePlanning(
  context: Context,
  work: WorkOf<PlanKind>,
  options: QueueWorkOptions,
): Promise<QueuedWork> {
  refuseUnknownAgent(options);
  const { id: projectId } = await context.project();
  const name = planName(work.kind, basename(work.input.plan));
  const source = await sourceOf(context);
  const { id } = await context.ledger.tasks.submit({ projectId, ...name }, work, context.who);
  return queueWork(context, id, options, source);
}

/** Has a worker ask a role. */
export function queueRole(
  context: Context,
  task: WorkTask<RoleKind>,
  options: QueueWorkOptions & SaidAgent,
  source: Source,
): Promise<QueuedWork> {
  if (task.result !== null) throw new Refusal('done', `${task.id} is already done.`, { code: 'conflict' });
  const agent = agentFor(task, options);
  refuseUnknownAgent(agent);
  return queueWork(context, task.id, { ...options, ...agent }, source);
}

/** Has a worker do a task, from a branch that it can get. */
export async function queueWork(
  context: Pick<Context, 'ledger' | 'project' | 'who'>,
  task: string,
  options: QueueWorkOptions,
  source: Source,
): Promise<QueuedWork> {
  const { timeoutMs, parkAfterMs, backgroundWaitMs } = options;
  const { id: projectId } = await context.project();
  const agent = agentOptions(options);
  const needs = needsOf(agent, options);
  const wishes = { ...agent, timeoutMs, parkAfterMs, backgroundWaitMs };
  const placing = { projectId, scope: task, needs, options: { ...source, options: wishes } };
  await context.ledger.queue.place(placing, context.who);
  return { task, needs, branch: source.featureBranch, remote: source.remote };
}

/**
 * Where workers get the files of this folder: from the remote, after pushing what is committed; without a remote, in
 * this folder.
 */
export async function sourceOf(context: Context): Promise<Source> {
  const { ledger, settings, cwd, who: by } = context;
  if (!findRepository(cwd)) return { featureBranch: '', remote: null };
  const { id: projectId } = await context.project();
  const git = await joinProject(worktreeContextAt(cwd, settings, { ledger, projectId, by }));
  const featureBranch = await currentBranch(git.top);
  if (!usesRemote(git)) return { featureBranch: featureBranch ?? '', remote: null };
  if (featureBranch === undefined)
    throw new Refusal('no_branch', `No branch is checked out in ${git.top}.`, {
      suggestion: 'Check one out, so that workers know which files to read.',
      code: 'invalid',
    });
  await publishFeature(git, featureBranch);
  return { featureBranch, remote: shownAddress(git.remote) };
}
