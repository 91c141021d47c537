import { openIn } from '../../../channels/asked.ts';
import type { Issue } from '../../../plan/audit/rule.ts';
import type { Notification } from '../../../schema/notification.ts';
import type { PlanRunResult } from '../../../schema/plan-run.ts';
import { questionTitle } from '../../../schema/question-title.ts';
import { OPEN_QUESTION, type Standing } from '../../../schema/task.ts';
import { type PhaseTask, phaseName, phaseTasks, tasksWithin } from '../../phases/phase-task.ts';
import type { PlanContext } from '../../phases/plan-context.ts';
import { tasksOfPlan } from '../../phases/tasks.ts';
import { planOnRecord } from '../../worktrees/plan-on-record.ts';
import { type Skipped, skippedIn } from './skipped.ts';

/** How a run ended, for people and programs. */
export interface RunReport {
  result: PlanRunResult;
  plan: string;
  feature_branch: string;
  standing: Standing;
  phases: {
    id: string;
    task: string;
    title: string;
    status: string;
    reason?: string;
    paused?: true;
    worktree?: string;
  }[];
  open: { id: string; task: string; question: string }[];
  skipped: Skipped[];
  /** The audit's warnings before the run. */
  warnings: Issue[];
}

/** The result of the audit before the run. */
export type AuditBefore = 'skipped' | { warnings: Issue[] };

export async function runReport(
  planContext: PlanContext,
  featureBranch: string,
  standing: Standing,
  interrupted: boolean,
  audit: AuditBefore,
): Promise<RunReport> {
  const tasks = await tasksOfPlan(planContext);
  const worktreeOf = await worktreesOf(planContext, featureBranch);
  const all = phaseTasks(planContext.plan, planContext.name);
  const phases = all.flatMap((at) => {
    const task = tasks.get(at.taskId);
    if (!task) return [];
    const { id, status, blockReason, paused } = task;
    return [
      {
        id: phaseName(at),
        task: id,
        title: at.phase.title,
        status,
        ...(blockReason ? { reason: blockReason } : {}),
        ...(paused ? { paused: true as const } : {}),
        ...worktreeOf(at),
      },
    ];
  });
  const open = (await openQuestions(planContext)).map(({ id, sourceId, questions: [first] }) => ({
    id,
    task: sourceId,
    question: first ? questionTitle(first) : '',
  }));
  const closed = all.filter(({ taskId }) => tasks.get(taskId)?.status === 'closed');
  const skipped = [...(audit === 'skipped' ? [noAudit] : []), ...(await skippedIn(planContext, closed))];
  const failed = phases.some(({ status, reason }) => status === 'blocked' && reason !== OPEN_QUESTION);
  const done = phases.every(({ status }) => status === 'closed');
  const result = interrupted ? 'interrupted' : done ? 'done' : failed ? 'failed' : 'waiting';
  return {
    result,
    plan: planContext.name,
    feature_branch: featureBranch,
    standing,
    phases,
    open,
    skipped,
    warnings: audit === 'skipped' ? [] : audit.warnings,
  };
}

const noAudit: Skipped = { step: 'audit', reason: 'The run used --skip-audit.', phase: null, task: null };

/** Finds the worktrees of phases. */
async function worktreesOf({ ledger, projectId, checkouts, folder }: PlanContext, featureBranch: string) {
  const plan = planOnRecord(checkouts.feature, folder);
  const paths = new Map(
    (await ledger.worktrees.list(projectId))
      .filter((worktree) => worktree.featureBranch === featureBranch && worktree.plan === plan)
      .map(({ phase, variant, path }) => [`${phase} ${variant}`, path]),
  );
  return ({ number, variant }: PhaseTask): { worktree?: string } => {
    const path = paths.get(`${number} ${variant}`);
    return path ? { worktree: path } : {};
  };
}

/** Open questions for phases of this plan: from agents, approvals, gates. */
async function openQuestions({ ledger, projectId, name }: PlanContext): Promise<Notification[]> {
  const within = tasksWithin(name);
  const open = await openIn(ledger, projectId);
  return open.filter(({ sourceId }) => sourceId.startsWith(within));
}
