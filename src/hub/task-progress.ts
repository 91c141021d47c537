import { basename } from 'node:path';
import type { Ledger } from '../ledger/ledger.ts';
import { workerWait } from '../ledger/tasks/abilities.ts';
import { FAILED } from '../schema/block-reason.ts';
import type { TaskProgress } from '../schema/plan-run.ts';
import { isAsking, type Task, WITHDRAWN } from '../schema/task.ts';
import type { WorkTask } from '../schema/work.ts';
import { planTaskId, tasksWithin } from '../work/phases/phase-task.ts';
import { tasksOfPlan } from '../work/phases/tasks.ts';
import { isHere } from '../work/worker/here.ts';
import { usualPlace } from '../work/worker/queue-by-ledger.ts';
import type { HubWork } from './work.ts';

interface Place {
  ledger: Ledger;
  work: HubWork;
  projectId: string;
}

/** How far a plan is: its phases, or the task that reads it first. */
export async function planProgress(place: Place, plan: string): Promise<TaskProgress> {
  const { ledger, projectId } = place;
  const id = planTaskId('run', plan);
  const reads = await ledger.tasks.find(projectId, id);
  const within = tasksWithin(plan);
  const phases = [...(await tasksOfPlan({ ledger, projectId, name: plan })).values()];
  if (reads?.kind === 'run' && (phases.length === 0 || reads.status !== 'closed'))
    return progressOf(place, id, [reads]);
  return progressOf(place, within, phases);
}

export const taskProgress = (place: Place, task: WorkTask): Promise<TaskProgress> =>
  task.kind === 'run' ? planProgress(place, basename(task.input.plan)) : progressOf(place, task.id, [task]);

async function progressOf(
  { ledger, work, projectId }: Place,
  scope: string,
  tasks: Task[],
): Promise<TaskProgress> {
  const order = await ledger.queue.find(projectId, scope);
  const progress = stateOf(tasks, order !== undefined);
  const isTheirs = order ? !isHere(order.needs) : !(await work.hasFolder(projectId));
  if (!isTheirs) return progress;
  const place = await usualPlace({ ledger, projectId }, scope);
  if (!order) return { ...progress, workers: { ...place, queued: false, wait: null } };
  const wait = await waitOf(ledger, tasks);
  return { ...progress, workers: { ...place, queued: true, wait: wait ?? null } };
}

/** Undefined while one of them is at work or waits for a person. */
async function waitOf(ledger: Ledger, tasks: Task[]): Promise<string | undefined> {
  if (tasks.some((task) => task.status === 'in_progress' || isAsking(task))) return undefined;
  const ready = tasks.find(({ status }) => status === 'open');
  return ready && workerWait(ready, await ledger.workers.list());
}

function stateOf(tasks: Task[], isQueued: boolean): TaskProgress {
  const idle = { running: false, result: null, error: null };
  if (tasks.length === 0) return idle;
  if (tasks.every(({ status }) => status === 'closed')) return { ...idle, result: 'done' };
  const asks = tasks.some(isAsking);
  const isLeft = tasks.some((task) => !task.paused && (task.status === 'open' || isAsking(task)));
  if (tasks.some(({ status }) => status === 'in_progress') || (isQueued && isLeft))
    return { ...idle, running: true };
  if (tasks.some(({ paused }) => paused)) return { ...idle, result: 'interrupted' };
  const stopped = tasks.find((task) => task.status === 'blocked' && !isAsking(task));
  if (stopped && stopped.blockReason !== WITHDRAWN)
    return { ...idle, result: 'failed', error: withoutWord(stopped.blockReason) };
  if (asks) return { ...idle, result: 'waiting' };
  const isBegun = tasks.some(({ fence }) => fence > 0);
  return isBegun || stopped ? { ...idle, result: 'interrupted' } : idle;
}

const withoutWord = (reason: string | null) =>
  reason?.startsWith(FAILED) ? reason.slice(FAILED.length) : reason;
