import type { Ledger } from '../../ledger/ledger.ts';
import type { TaskScope } from '../../ledger/tasks/task-sql.ts';
import type { Task } from '../../schema/task.ts';
import { stateOf } from '../../schema/task-state.ts';
import { type Activity, nothing, spentBy, sum } from './activity.ts';
import type { PhaseLine, PhaseState, RunView } from './render-run.ts';

/** More than any screen shows of waiting or upcoming tasks. */
const MAX = 100;

/** The tasks of a plan, or one without a plan. */
export interface FollowedTasks {
  ledger: Ledger;
  projectId: string;
  within: TaskScope;
}

/** The status of the tasks in the ledger. Reads only what can be shown, because there may be thousands of phases. */
export async function lookAtRun(
  { ledger, projectId, within }: FollowedTasks,
  activities: ReadonlyMap<string, Activity>,
): Promise<RunView> {
  const { open, in_progress, blocked, closed, asking } = await ledger.tasks.standing(projectId, within);
  const tasks = [
    ...(await ledger.tasks.list(projectId, { within, status: 'in_progress', limit: MAX })),
    ...(await ledger.tasks.list(projectId, { within, status: 'blocked', limit: MAX })),
    ...(await ledger.tasks.ready(projectId, MAX, within)).filter(({ status }) => status === 'open'),
  ];
  return {
    phases: tasks.map((task) => lineOf(task, within, activities.get(task.id))),
    counts: {
      total: open + in_progress + blocked + closed,
      done: closed,
      at_work: in_progress,
      asks: asking,
      failed: blocked - asking,
      next: open,
    },
    ...[...activities.values()].map(spentBy).reduce(sum, nothing),
  };
}

function lineOf(task: Task, within: TaskScope, activity: Activity | undefined): PhaseLine {
  const { id, title, blockReason } = task;
  const state = shownAs(task);
  return {
    id: typeof within === 'string' ? id.slice(within.length) : id,
    title,
    state,
    ...(state === 'at_work' && activity?.doing ? { doing: activity.doing } : {}),
    ...(blockReason === null ? {} : { reason: blockReason }),
    tokens: activity ? spentBy(activity).tokens : 0,
  };
}

function shownAs(task: Task): PhaseState {
  const state = stateOf(task);
  if (state === 'working') return 'at_work';
  if (state === 'waiting for you') return 'asks';
  return task.status === 'blocked' ? 'failed' : 'next';
}
