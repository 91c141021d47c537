import { basename } from 'node:path';
import { findRepository } from '../../config/repository.ts';
import { currentBranch } from '../../git/refs.ts';
import { shownAddress } from '../../git/remote/address.ts';
import type { Consultation } from '../../schema/consultation.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { AssignmentWork } from '../../schema/work-order.ts';
import { joinProject } from '../../work/projects/join-project.ts';
import { publishFeature } from '../../work/worktrees/exchange/publish-feature.ts';
import { usesRemote } from '../../work/worktrees/exchange/remote-context.ts';
import { worktreeContextAt } from '../../work/worktrees/worktree-context.ts';
import { type AgentOptions, agentOptions, refuseUnknownAgent, type SaidAgent } from '../choose-agent.ts';
import type { Context } from '../context.ts';
import { agentFor } from '../roles/consult-role.ts';
import { type AssignmentName, planName, roleName } from './assignment-name.ts';
import { needsOf } from './place-order.ts';

type Omitted = 'featureBranch' | 'remote' | 'options';
type Without<T> = T extends unknown ? Omit<T, Omitted> : never;

/** What to do, without where and by whom. */
export type AssignmentBrief = Without<AssignmentWork>;

type PlanBrief = Exclude<AssignmentBrief, { kind: 'role' | 'review' | 'start' }>;

export interface AssignmentQueueOptions extends AgentOptions {
  timeoutMs?: number;
  parkAfterMs?: number;
  backgroundWaitMs?: number;
  /** What a worker must have besides the agent. */
  needs?: string[];
}

export interface QueuedAssignment {
  /** The task by which a worker takes it. */
  task: string;
  needs: string[];
  /** The branch whose files the agent sees; empty outside of a repository. */
  branch: string;
  /** Where workers get it; null: only a worker on this machine can do it. */
  remote: string | null;
}

/** The files that an assignment reads. */
interface AssignmentSource {
  branch: string;
  remote: string | null;
}

/** Has a worker write a plan. */
export const queuePlanAssignment = (context: Context, brief: PlanBrief, options: AssignmentQueueOptions) =>
  queueAssignment(context, planName(brief.kind, basename(brief.plan)), brief, options);

/** Has a worker consult a role. */
export function queueRole(
  context: Context,
  consultation: Consultation,
  options: AssignmentQueueOptions & SaidAgent,
  source: AssignmentSource,
): Promise<QueuedAssignment> {
  if (consultation.status === 'done')
    throw new Refusal('done', `${consultation.id} is already done.`, { code: 'conflict' });
  const brief = { kind: 'role' as const, consultation: consultation.id };
  const agent = agentFor(consultation, options);
  refuseUnknownAgent(agent);
  return placeAssignment(context, roleName(consultation), brief, { ...options, ...agent }, source);
}

async function queueAssignment(
  context: Context,
  name: AssignmentName,
  brief: AssignmentBrief,
  options: AssignmentQueueOptions,
): Promise<QueuedAssignment> {
  refuseUnknownAgent(options);
  return placeAssignment(context, name, brief, options, await assignmentSource(context));
}

/** The same for a branch that workers can get. */
export async function placeAssignment(
  context: Pick<Context, 'ledger' | 'project' | 'who'>,
  { scope, title }: AssignmentName,
  brief: AssignmentBrief,
  options: AssignmentQueueOptions,
  { branch, remote }: AssignmentSource,
): Promise<QueuedAssignment> {
  const { needs: more = [], timeoutMs, parkAfterMs, backgroundWaitMs } = options;
  const { id: projectId } = await context.project();
  const agent = agentOptions(options);
  const needs = needsOf(agent, more);
  const work = {
    ...brief,
    ...{ featureBranch: branch, remote },
    options: { ...agent, timeoutMs, parkAfterMs, backgroundWaitMs },
  };
  await context.ledger.workOrders.place({ projectId, scope, title, needs, work }, context.who);
  return { task: scope, needs, branch, remote };
}

/**
 * Where workers get the files of this folder: from the remote, after pushing what is committed; without a remote, in
 * this folder.
 */
export async function assignmentSource(context: Context): Promise<AssignmentSource> {
  const { ledger, settings, cwd, who: by } = context;
  if (!findRepository(cwd)) return { branch: '', remote: null };
  const { id: projectId } = await context.project();
  const git = await joinProject(worktreeContextAt(cwd, settings, { ledger, projectId, by }));
  const branch = await currentBranch(git.top);
  if (!usesRemote(git)) return { branch: branch ?? '', remote: null };
  if (branch === undefined)
    throw new Refusal('no_branch', `No branch is checked out in ${git.top}.`, {
      suggestion: 'Check one out, so that workers know which files to read.',
      code: 'invalid',
    });
  await publishFeature(git, branch);
  return { branch, remote: shownAddress(git.remote) };
}
