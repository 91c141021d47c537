import { hasFailed } from '../../../src/schema/block-reason.ts';
import type { TaskProgress } from '../../../src/schema/plan-run.ts';
import type { Task } from '../../../src/schema/task.ts';
import { hub, type Starting } from '../api/hub.ts';
import { WorkBar } from '../work/work-bar.tsx';
import { workersState } from '../work/workers-choice.tsx';

interface Props {
  task: Task;
  work: TaskProgress;
  /** Whether it has a question for the viewer. */
  waits: boolean;
  onChange(): void;
}

/** Has an agent work on a task. A phase is run with its plan, and an analysis belongs to one. */
export function TaskWork({ task, work, waits, onChange }: Props) {
  const { id, projectId, status } = task;
  if (task.kind === 'phase' || task.kind === 'analyze') return null;
  if (status === 'closed')
    return <p class="work-state">{task.kind === 'task' ? 'Done: merged or closed.' : 'Done.'}</p>;
  // The hub may not have finished cleaning up what has just failed.
  const isOver = status === 'blocked' && !waits;
  const isFailed = isOver && hasFailed(task);
  const isBegun = work.result !== null || status === 'blocked';
  const shown = isOver ? { ...work, running: false } : work;
  const start = async (as: Starting) => {
    if (isStopped(task)) await hub.patchTask(projectId, id, { status: 'open' });
    return hub.startTask(projectId, id, as);
  };
  const stop = async () => {
    await hub.pauseTask(projectId, id);
    return hub.patchTask(projectId, id, { status: 'blocked', blockReason: STOPPED });
  };
  return (
    <WorkBar
      verb="Work on this task"
      work={shown}
      again={isFailed ? 'Try again' : isBegun ? 'Resume' : undefined}
      start={start}
      pause={() => hub.pauseTask(projectId, id)}
      stop={stop}
      onChange={onChange}
    >
      {stateOf(task, shown, waits)}
    </WorkBar>
  );
}

const STOPPED = 'Stopped on the page';

const isStopped = ({ blockReason }: Task) => blockReason === STOPPED;

/** What happens next, in a sentence. */
function stateOf(task: Task, work: TaskProgress, waits: boolean): string {
  const { running, result } = work;
  if (waits) return 'Waiting for you: answer below, and the agent continues.';
  const theirs = task.status === 'open' ? workersState(work) : undefined;
  if (theirs !== undefined) return theirs;
  if (running && task.kind !== 'task') return 'An agent is working on it. Its questions come to your inbox.';
  if (running)
    return 'An agent is working on it. Checks run next. Fermata asks you before it merges if the autonomy settings say so.';
  if (isStopped(task)) return 'Stopped. Nobody works on it until you resume it.';
  if (hasFailed(task)) return 'It failed, for the reason above. Say below what to change, then try again.';
  if (task.status === 'blocked') return 'Somebody blocked it, for the reason above.';
  if (result === 'interrupted') return 'Paused. The session is kept; Resume continues it.';
  if (task.status === 'in_progress') return 'Somebody else is working on it.';
  return task.kind === 'task'
    ? 'Nobody is working on it. An agent can do it in its own worktree.'
    : 'Nobody is working on it.';
}
