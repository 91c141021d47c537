import { cmd } from '../../schema/command-line.ts';
import { Refusal } from '../../schema/refusal.ts';
import { decidedPart } from '../decided/read-decided.ts';
import { holdPhase } from '../phases/hold.ts';
import { type PhaseTask, phaseWords } from '../phases/phase-task.ts';
import type { PlanContext } from '../phases/plan-context.ts';
import { worktreeOf } from '../phases/worktree.ts';
import type { OpenWorktree } from '../worktrees/open-worktree.ts';
import type { ReviewedText } from './prompt.ts';
import { type Review, type Reviewer, reviewWork } from './review-work.ts';

/** Has another agent review the work on a phase. */
export async function reviewPhase(
  planContext: PlanContext,
  at: PhaseTask,
  reviewer: Reviewer,
): Promise<Review> {
  await holdPhase(planContext, at);
  const worktree = await worktreeOf(planContext, at);
  if (!worktree) throw noWorktree(at.taskId);
  return reviewIn(planContext, at, worktree, reviewer);
}

/** The same without holding the phase, in any checkout of its branch. */
export async function reviewIn(
  planContext: PlanContext,
  at: PhaseTask,
  worktree: OpenWorktree,
  reviewer: Reviewer,
): Promise<Review> {
  const work = {
    taskId: at.taskId,
    title: at.phase.title,
    text: await reviewedPhase(planContext, at),
    worktree,
    again: cmd`review ${phaseWords(at)}`,
  };
  return reviewWork(planContext, work, reviewer);
}

export const noWorktree = (taskId: string) =>
  new Refusal('no_worktree', `${taskId} has no worktree to review.`, {
    suggestion: 'Create it on the branch that start-prompt printed: git worktree add -b BRANCH FOLDER',
    code: 'not_found',
  });

/** What a reviewer judges a phase by. */
export async function reviewedPhase(planContext: PlanContext, at: PhaseTask): Promise<ReviewedText> {
  const file = planContext.plan.files.get(at.phase.path);
  return {
    kind: 'phase',
    title: `${at.taskId}, ${at.phase.title}`,
    content: file && 'text' in file ? file.text : '',
    decided: await decidedPart(planContext, at),
    criteria: at.phase.file?.criteria ?? [],
    gates: at.phase.file?.gates ?? [],
  };
}
