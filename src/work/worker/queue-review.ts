import { existsSync } from 'node:fs';
import { branchTip, isAncestor } from '../../git/refs.ts';
import { shownAddress } from '../../git/remote/address.ts';
import { checkoutStatus } from '../../git/status.ts';
import { cmd } from '../../schema/command-line.ts';
import { Refusal } from '../../schema/refusal.ts';
import type { Task } from '../../schema/task.ts';
import type { Worktree } from '../../schema/worktree.ts';
import { reviewerForWorkers } from '../agent/reviewer.ts';
import type { Context } from '../context.ts';
import type { ReviewOptions } from '../kinds/review.ts';
import { worktreeOf as recordedWorktree, withPlan } from '../kinds/task/worktree-of.ts';
import { openPlanContext } from '../phases/open-plan-context.ts';
import { findPhaseTask, phaseWords } from '../phases/phase-task.ts';
import { surroundingsOf } from '../phases/surroundings.ts';
import { worktreeOf } from '../phases/worktree.ts';
import { joinProject } from '../projects/join-project.ts';
import { noWorktree } from '../review/review-phase.ts';
import { claimRef } from '../worktrees/exchange/claim-ref.ts';
import { publishFeature } from '../worktrees/exchange/publish-feature.ts';
import {
  branchRef,
  fetchFrom,
  pushTo,
  type RemoteContext,
  usesRemote,
} from '../worktrees/exchange/remote-context.ts';
import { requireRepository, worktreeContextAt } from '../worktrees/worktree-context.ts';
import { type QueuedWork, queueWork } from './queue-work.ts';
import { reviewName } from './task-names.ts';

/** Has a worker review a phase, after pushing the commits that it has here. */
export async function queueReview(
  context: Context,
  number: string,
  variant: string | undefined,
  options: Pick<ReviewOptions, 'plan' | 'agent' | 'agentCommand' | 'model' | 'timeoutMs'> & {
    needs?: string[];
  },
): Promise<QueuedWork> {
  const { ledger, settings, cwd, who: by, env } = context;
  const { planContext, at, worktree } = await reviewedWorktree(context, options.plan, number, variant);
  const { projectId } = planContext;
  const { taskId } = at;
  const configured = settings.config.reviewer;
  const agent = await reviewerForWorkers({ env, configured }, { ledger, projectId, taskId }, options);
  const git = await joinProject(worktreeContextAt(cwd, settings, { ledger, projectId, by }));
  if (usesRemote(git)) {
    await publishFeature(git, worktree.featureBranch);
    await publishPhase(git, worktree, await ledger.tasks.get(projectId, taskId), phaseWords(at));
  }
  const source = {
    featureBranch: worktree.featureBranch,
    remote: usesRemote(git) ? shownAddress(git.remote) : null,
  };
  const { plan, branch } = worktree;
  const work = { kind: 'review' as const, input: { plan, reviews: taskId, branch } };
  const { id } = await ledger.tasks.submit({ projectId, ...reviewName(taskId) }, work, by);
  return queueWork(context, id, { ...options, ...agent }, source);
}

/** The worktree of a phase, here or on record. */
export async function reviewedWorktree(
  context: Context,
  plan: string | undefined,
  number: string,
  variant?: string,
) {
  requireRepository(context.cwd);
  const planContext = await openPlanContext(await surroundingsOf(context), plan);
  const { ledger, projectId } = planContext;
  const at = findPhaseTask(planContext.plan, planContext.name, number, variant);
  const found = (await worktreeOf(planContext, at)) ?? (await recordedWorktree(ledger, projectId, at.taskId));
  return { planContext, at, worktree: withPlan(found, at.taskId) };
}

/** Pushes what this clone has of a phase, so that a worker sees all of it. */
async function publishPhase(
  git: RemoteContext,
  { branch, path }: Worktree,
  task: Task,
  words: string[],
): Promise<void> {
  if (path !== null && existsSync(path)) await requireCommitted(path);
  const own = branchRef(branch);
  const there = await fetchFrom(git, [own, claimRef(branch)]);
  const [theirs, local] = [there.get(own), await branchTip(git.commonDir, branch)];
  if (local === undefined && theirs === undefined) throw noWorktree(task.id);
  if (local === undefined || local === theirs) return;
  if (theirs !== undefined && (await isAncestor(git.commonDir, local, theirs))) return;
  // Pushing would end the claim of whoever works on it.
  if (task.status === 'in_progress' && there.has(claimRef(branch))) throw unpushed(task, words);
  const isNext = theirs === undefined || (await isAncestor(git.commonDir, theirs, local));
  if (!isNext || !(await pushTo(git, [{ ref: own, from: theirs, to: local }]))) throw diverged(git, branch);
}

async function requireCommitted(path: string): Promise<void> {
  const { changed, untracked } = await checkoutStatus(path);
  const [first] = [...changed, ...untracked];
  if (first === undefined) return;
  throw new Refusal('uncommitted', `${path} has uncommitted changes, such as ${first}.`, {
    suggestion: 'Commit them, because workers see only commits, or review it here without --queue.',
    data: { changed: changed.slice(0, 100), untracked: untracked.slice(0, 100) },
  });
}

function unpushed({ id, assignee }: Task, words: string[]): Refusal {
  return new Refusal('held', `${assignee} is working on ${id} and has commits that are not pushed yet.`, {
    suggestion: `Try again when they are pushed, or review it where its worktree is: ${cmd`review ${words}`}`,
  });
}

const diverged = ({ remote }: RemoteContext, branch: string) =>
  new Refusal('diverged', `${branch} here and at ${remote.name} have different commits.`, {
    suggestion: `Merge them ("git pull --no-rebase ${remote.name} ${branch}" in its worktree), and try again.`,
  });
