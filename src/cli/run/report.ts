import { quoted } from '../../agents/shell-words.ts';
import { openIn } from '../../channels/asked.ts';
import { printable } from '../../channels/printable.ts';
import type { Notification } from '../../schema/notification.ts';
import { OPEN_QUESTION, type Standing } from '../../schema/task.ts';
import { type PhaseAtWork, phaseName, phasesAtWork, tasksWithin } from '../../work/phases/phase-at-work.ts';
import type { PlanPlace } from '../../work/phases/plan-place.ts';
import { tasksOfPlan } from '../../work/phases/tasks.ts';
import { exit } from '../exit.ts';

/** How a run ended, for people and programs. */
export interface RunReport {
  result: 'done' | 'waiting' | 'failed' | 'interrupted';
  plan: string;
  feature_branch: string;
  standing: Standing;
  phases: { id: string; task: string; title: string; status: string; reason?: string; worktree?: string }[];
  /** What people have to answer. */
  open: { id: string; task: string; question: string }[];
}

export const exitCodes = {
  done: exit.done,
  waiting: exit.waiting,
  failed: exit.failed,
  interrupted: exit.interrupted,
} as const;

export async function runReport(
  place: PlanPlace,
  featureBranch: string,
  standing: Standing,
  interrupted: boolean,
): Promise<RunReport> {
  const tasks = await tasksOfPlan(place);
  const worktreeOf = await worktreesOf(place, featureBranch);
  const phases = phasesAtWork(place.plan, place.name).flatMap((at) => {
    const task = tasks.get(at.taskId);
    if (!task) return [];
    const { id, status, blockReason } = task;
    return [
      {
        id: phaseName(at),
        task: id,
        title: at.phase.title,
        status,
        ...(blockReason ? { reason: blockReason } : {}),
        ...worktreeOf(at),
      },
    ];
  });
  const open = (await openQuestions(place)).map(({ id, sourceId, questions }) => ({
    id,
    task: sourceId,
    question: questions[0]?.text ?? '',
  }));
  const failed = phases.some(({ status, reason }) => status === 'blocked' && reason !== OPEN_QUESTION);
  const done = phases.every(({ status }) => status === 'closed');
  const result = interrupted ? 'interrupted' : done ? 'done' : failed ? 'failed' : 'waiting';
  return {
    result,
    plan: place.name,
    feature_branch: featureBranch,
    standing,
    phases,
    open,
  };
}

/** Looks up where a phase was worked on. */
async function worktreesOf({ ledger, projectId }: PlanPlace, featureBranch: string) {
  const paths = new Map(
    (await ledger.worktrees.list(projectId))
      .filter((worktree) => worktree.featureBranch === featureBranch)
      .map(({ phase, variant, path }) => [`${phase} ${variant}`, path]),
  );
  return ({ number, variant }: PhaseAtWork): { worktree?: string } => {
    const path = paths.get(`${number} ${variant}`);
    return path ? { worktree: path } : {};
  };
}

/** What is open for phases of this plan: questions of agents, approvals, gates. */
async function openQuestions({ ledger, projectId, name }: PlanPlace): Promise<Notification[]> {
  const within = tasksWithin(name);
  const open = await openIn(ledger, projectId);
  return open.filter(({ sourceId }) => sourceId.startsWith(within));
}

/** More of a kind than this are only counted. */
const MOST = 20;

/** Where the person who reads the report is: the folder of the plan as seen from there, and the branch that is checked out. */
interface Here {
  folder: string;
  branch?: string | undefined;
}

/** The report in a few lines, with what to do next. */
export function reportText(report: RunReport, { folder, branch }: Here): string {
  const { result, plan, feature_branch, standing, phases, open } = report;
  const total = standing.open + standing.in_progress + standing.blocked + standing.closed;
  const lines = [`${standing.closed} of ${total} phases of ${plan} are done.`];
  const stopped = phases.filter(({ reason }) => reason !== undefined && reason !== OPEN_QUESTION);
  for (const { id, task, reason = '', worktree } of stopped.slice(0, MOST)) {
    lines.push(`Phase ${id} stopped: ${reason.split('\n')[0]}`);
    lines.push(`  Look at it${worktree ? ` in ${worktree}` : ''}, then: fermata tasks unblock ${task}`);
  }
  if (stopped.length > MOST)
    lines.push(`${stopped.length - MOST} more stopped: fermata tasks list --status blocked`);
  for (const { id, question } of open.slice(0, MOST))
    lines.push(`Waits for you: ${question.split('\n')[0]}`, `  fermata answer ${id}`);
  if (open.length > MOST) lines.push(`${open.length - MOST} more wait for you: fermata inbox`);
  if (result === 'done') {
    const take =
      branch === feature_branch
        ? ', which is checked out here.'
        : `. Take it with: git merge ${quoted(feature_branch)}`;
    lines.push(`What was done is in the branch ${feature_branch}${take}`);
    lines.push('Remove the worktrees of merged phases with: fermata git cleanup-worktrees');
  } else lines.push(`Go on with: fermata run --resume ${quoted(folder)}`);
  return printable(lines.join('\n'));
}
