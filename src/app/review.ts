import { findPhaseTask } from '../work/phases/phase-task.ts';
import { worktreeOf } from '../work/phases/worktree.ts';
import { reviewPhase } from '../work/review/review-phase.ts';
import type { Review } from '../work/review/review-work.ts';
import { changedAgentFiles } from '../work/trust/worktree-files.ts';
import type { Begun } from './begun.ts';
import type { AgentOptions } from './choose-agent.ts';
import type { Context } from './context.ts';
import { followedPlan } from './followed-plan.ts';
import { reviewerFor } from './reviewer.ts';
import { requireAgentTrust, requireTrust, type TrustOptions } from './trust.ts';

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
  const { timeoutMs = TIMEOUT_MS, signal = new AbortController().signal } = options;
  const planContext = await followedPlan(context, options.plan, options);
  const at = findPhaseTask(planContext.plan, planContext.name, number, variant);
  const worktree = await worktreeOf(planContext, at);
  const { ledger, projectId, cwd } = planContext;
  const changed = worktree ? await changedAgentFiles(ledger, projectId, worktree) : [];
  await requireAgentTrust(context, cwd, options);
  const now = options.trust ? options : { ...options, neverInAdvance: true };
  if (changed.length > 0) await requireTrust(context, await context.project(), changed, now);
  const reviewed = { ledger, projectId, taskId: at.taskId, cwd };
  const reviewer = await reviewerFor(context, reviewed, options, timeoutMs);
  const tell = (text: string) => context.report({ kind: 'notice', text });
  return { carryOut: () => reviewPhase(planContext, at, { ...reviewer, signal, tell }) };
}
