import type { Notification } from '../../schema/notification.ts';
import type { AgentOptions } from '../agent/choose-agent.ts';
import { reviewerFor } from '../agent/reviewer.ts';
import { type Context, holding } from '../context.ts';
import { followedPlan } from '../phases/followed-plan.ts';
import { findPhaseTask, type PhaseTask } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { worktreeOf } from '../phases/worktree.ts';
import { reviewIn, reviewPhase } from '../review/review-phase.ts';
import type { Review, Reviewer } from '../review/review-work.ts';
import { requireAgentTrust, requireTrust, type TrustOptions } from '../trust/require-trust.ts';
import { changedAgentFiles } from '../trust/worktree-files.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import type { Begun } from './begun.ts';

export interface ReviewOptions extends TrustOptions, Partial<AgentOptions> {
  /** The plan's folder (default: the plan of the branch that is checked out). */
  plan?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
}

const TIMEOUT_MS = 15 * 60_000;

/**
 * Has another agent review the work on a phase: the named one, else an available one. Called again after a crash, it
 * resumes the review of the same work.
 *
 * @example const { verdict } = await review(context, '2', 'A', { plan: 'plans/login' });
 */
export async function review(
  context: Context,
  number: string,
  variant?: string,
  options: ReviewOptions = {},
): Promise<Review> {
  return (await beginReview(context, number, variant, options)).carryOut();
}

/** Everything before the reviewer starts. */
export async function beginReview(
  context: Context,
  number: string,
  variant: string | undefined,
  options: ReviewOptions,
): Promise<Begun<Review>> {
  const planContext = await followedPlan(context, options.plan, options);
  const at = findPhaseTask(planContext.plan, planContext.name, number, variant);
  const reviewer = await openReviewer(context, planContext, at, await worktreeOf(planContext, at), options);
  const concern = {
    ...{ projectId: planContext.projectId, plan: planContext.name },
    concerns: ({ source, sourceId }: Notification) =>
      sourceId === at.taskId && (source === 'eval' || source === 'approval'),
  };
  const work = () => reviewPhase(planContext, at, reviewer);
  return { carryOut: () => (context.ask?.during ? context.ask.during(concern, work) : work()) };
}

/** The same for a worker, in a checkout of the phase's branch. Does not take the phase from whoever works on it. */
export async function beginReviewIn(
  context: Context,
  number: string,
  worktree: OpenWorktree,
  options: ReviewOptions,
): Promise<Begun<Review>> {
  const planContext = await followedPlan(context, options.plan, options);
  const at = findPhaseTask(planContext.plan, planContext.name, number);
  const reviewer = await openReviewer(context, planContext, at, worktree, options);
  return { carryOut: () => reviewIn(planContext, at, worktree, reviewer) };
}

/** The agent that reviews, after a person has trusted what it would run by itself. */
async function openReviewer(
  context: Context,
  { ledger, projectId, cwd }: PlanContext,
  { taskId }: PhaseTask,
  worktree: OpenWorktree | undefined,
  options: ReviewOptions,
): Promise<Reviewer> {
  const { timeoutMs = TIMEOUT_MS, signal = new AbortController().signal } = options;
  const changed = worktree ? await changedAgentFiles(ledger, projectId, worktree) : [];
  await requireAgentTrust(context, cwd, options);
  const now = options.trust ? options : { ...options, neverInAdvance: true };
  if (changed.length > 0) await requireTrust(context, await context.project(), changed, now);
  const reviewer = await reviewerFor(context, { ledger, projectId, taskId, cwd }, options, timeoutMs);
  const tell = (text: string) => context.report({ kind: 'notice', text });
  return { ...reviewer, signal, tell, held: holding(context.held) };
}
