import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { Refusal } from '../../schema/refusal.ts';
import { isAsking, OPEN_QUESTION, type Task } from '../../schema/task.ts';
import type { PhaseTask } from './phase-task.ts';
import type { PlanContext } from './plan-context.ts';

/**
 * How long an agent keeps a phase without a command. It may work for hours between two commands; each command restarts
 * the time, and a person can free the phase earlier with `fermata tasks release`.
 */
const PHASE_LEASE_SECONDS = 12 * 3600;

/** A runner holds its agents' tasks itself, with its own lease, and gives them the fence of the claim. */
export function fenceOf({ fence }: { fence?: number }): number | undefined {
  return fence ?? (process.env.FERMATA_FENCE ? Number(process.env.FERMATA_FENCE) : undefined);
}

/** What an agent in a run gets when it tries to merge or complete: the run does that, after its own checks. */
export const deferred = {
  deferred: true,
  reason: 'The run checks, merges and completes this phase for you. Finish by returning your result.',
};

/** Claims a phase for an agent; the same agent continues with it. */
export async function takePhase(planContext: PlanContext, at: PhaseTask, specialist: string): Promise<Task> {
  const { ledger, projectId, by } = planContext;
  const task = await ledger.tasks.get(projectId, at.taskId);
  if (isOursByNumber(planContext, task)) return task;
  if (task.status === 'in_progress' && task.assignee === specialist) {
    return ledger.tasks.heartbeat(projectId, task.id, task.fence, PHASE_LEASE_SECONDS, by);
  }
  if (task.status === 'closed' || task.status === 'blocked') throw notWorkable(task);
  try {
    return await ledger.tasks.claim(
      projectId,
      task.id,
      { worker: specialist, leaseSeconds: PHASE_LEASE_SECONDS },
      by,
    );
  } catch (error) {
    if (!(error instanceof FermataError) || error.code !== 'conflict') throw error;
    throw refusedClaim(await ledger.tasks.get(projectId, task.id), error);
  }
}

/** Renews the claim on a phase, because every command of its agent is a heartbeat. */
export async function holdPhase(planContext: PlanContext, at: PhaseTask): Promise<Task> {
  const { ledger, projectId, by } = planContext;
  const task = await ledger.tasks.find(projectId, at.taskId);
  const started = (await ledger.phases.list(projectId, at.taskId)).findLast(
    (each) => each.kind === 'started',
  );
  if (!task || !started) throw notStarted(at);
  if (isOursByNumber(planContext, task)) return task;
  if (task.status === 'in_progress') {
    return ledger.tasks.heartbeat(projectId, task.id, task.fence, PHASE_LEASE_SECONDS, by);
  }
  // It asked a question, but continues with what it can do meanwhile.
  if (isAsking(task)) return task;
  if (task.status !== 'open') throw notWorkable(task);
  return takePhase(planContext, at, started.data.specialist);
}

function isOursByNumber(planContext: PlanContext, task: Task): boolean {
  const fence = fenceOf(planContext);
  if (fence === undefined) return false;
  const own = process.env.FERMATA_TASK;
  if (planContext.fence === undefined && own !== undefined && own !== task.id) throw notYourTask(task, own);
  if (task.status !== 'in_progress') return false;
  if (fence === task.fence) return true;
  throw new Refusal('held', `${task.assignee} has taken over ${task.id}. Stop working on it.`, {
    data: { holder: task.assignee },
    code: 'stale',
  });
}

function notYourTask(task: Task, own: string): Refusal {
  return new Refusal('held', `Your task is ${own}, not ${task.id}.`, { data: { task: own } });
}

function refusedClaim(task: Task, error: FermataError): Refusal {
  if (task.status === 'in_progress') {
    return new Refusal('held', `${task.assignee} holds ${task.id} until ${task.leaseUntil}.`, {
      suggestion: `Take another phase ("plan next"). If that agent is gone, a person can release it: ${cmd`tasks release ${task.id}`}`,
      data: { holder: task.assignee, lease_until: task.leaseUntil },
    });
  }
  const left = task.dependsOn;
  return new Refusal('not_ready', error.message, {
    suggestion: `It depends on ${left.join(', ')}. "plan next" lists the phases you can start.`,
    data: { depends_on: left },
  });
}

function notWorkable({ id, status, blockReason }: Task): Refusal {
  if (status === 'closed') {
    return new Refusal('completed', `${id} is completed.`, {
      suggestion: `To work on it again: ${cmd`tasks reopen ${id}`}`,
    });
  }
  const asks = blockReason === OPEN_QUESTION;
  return new Refusal(asks ? 'waiting' : 'blocked', `${id} is blocked: ${blockReason}.`, {
    suggestion: asks
      ? `A person must answer first: ${cmd`inbox`}`
      : `A person must unblock it: ${cmd`tasks unblock ${id}`}`,
  });
}

function notStarted({ number, variant }: PhaseTask): Refusal {
  const name = `${number}${variant ? ` ${variant}` : ''}`;
  return new Refusal('not_started', `Phase ${name} has not been started.`, {
    suggestion: `Start it: plan start-prompt ${name} --specialist NAME --worktree BRANCH`,
  });
}
