import { homeId } from '../../../agents/run/lease.ts';
import { refuseAgent } from '../../../ledger/access/refuse-agent.ts';
import type { Notification } from '../../../schema/notification.ts';
import { requireAgent } from '../../agent/choose-agent.ts';
import type { Context } from '../../context.ts';
import { isFailedHere } from '../../run/faults.ts';
import { runTasks } from '../../run/run-tasks.ts';
import type { TaskRun } from '../../run/work-run.ts';
import type { Begun } from '../begun.ts';
import { executeTask } from './execute-task.ts';
import { type OpenTaskOptions, openTask } from './open-task.ts';
import { requireWorkable } from './require-workable.ts';
import { type TaskReport, taskReport } from './task-report.ts';

export interface WorkOnTaskOptions extends OpenTaskOptions {
  /** Stops the work cleanly: the agent saves its session, and the next call resumes it. */
  signal?: AbortSignal;
}

/**
 * Has an agent work on a task without a plan, in its own worktree. Then the project's checks run, a person approves the
 * work if the autonomy level requires it, and it is merged. Called again after a crash, it continues.
 *
 * @example const { result, open } = await workOnTask(context, 't3', { agent: 'codex' });
 */
export async function workOnTask(
  context: Context,
  taskId: string,
  options: WorkOnTaskOptions = {},
): Promise<TaskReport> {
  return (await beginTask(context, taskId, options)).carryOut();
}

/** Everything before the agent starts. */
async function beginTask(
  context: Context,
  taskId: string,
  options: WorkOnTaskOptions,
): Promise<Begun<TaskReport & { problem?: string }>> {
  const { ledger, report, who } = context;
  refuseAgent(who, 'start work on tasks');
  const { id: projectId } = await context.project();
  const task = await ledger.tasks.get(projectId, taskId);
  await requireWorkable(ledger, task);
  const run = await openTask(context, taskId, options);
  const { driver, setup, around, featureBranch, checks } = run;
  const notes = await requireAgent(driver, { ...setup, cwd: around.git.top, mustAsk: false });
  // Starting work on it again is a request to retry.
  if (isFailedHere(task)) await ledger.tasks.unblock(projectId, taskId, who);
  const without = checks.length === 0 ? [noChecks] : [];
  report({
    kind: 'working',
    task: taskId,
    agent: driver.name,
    into: featureBranch,
    notes: [...notes, ...without],
  });
  return { carryOut: () => carryOut(context, run, taskId, options) };
}

const noChecks =
  'This project has no checks, and Fermata found no test command. Set "checks" in fermata.config.json.';

async function carryOut(
  { report, ask = {}, settings }: Context,
  run: TaskRun,
  taskId: string,
  { signal = new AbortController().signal }: WorkOnTaskOptions,
): Promise<TaskReport> {
  const { ledger, projectId, by } = run.around;
  const concern = {
    projectId,
    task: taskId,
    concerns: ({ sourceId }: Notification) => sourceId === taskId,
  };
  const work = () =>
    runTasks({
      home: homeId(settings.home.value),
      ...{ ledger, projectId, by, within: { id: taskId }, parallel: 1, signal },
      stays: () => ask.stays?.(concern) ?? false,
      execute: (held) => executeTask(run, held),
      onLost: ({ id: task }, why) => report({ kind: 'phase_lost', task, phase: task, why }),
    });
  await (ask.during ? ask.during(concern, work) : work());
  return taskReport(run, taskId, signal.aborted);
}
