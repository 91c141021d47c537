import type { Ledger } from '../../ledger/ledger.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Project } from '../../schema/project.ts';
import { addSpent, nothingSpent, type Spent } from '../../schema/run-usage.ts';
import type { Task } from '../../schema/task.ts';
import { stateOf, type TaskState, taskStates, waitsFor } from '../../schema/task-state.ts';
import { taskKinds } from '../../schema/task-status.ts';
import { workIn } from './run-changes.ts';

/** A task that is neither done nor still to be started. */
export interface TaskLine {
  project: string;
  task: Task;
  state: TaskState;
  question?: Notification;
  /** The agent that works on it, or worked on it last. */
  agent?: string;
  /** When that agent began. */
  since?: string;
  /** What it did last. */
  doing?: string;
  spent: Spent;
}

export interface ProjectStatus {
  project: Project;
  lines: TaskLine[];
  /** How many more there are. */
  more: number;
  notStarted: number;
  done: number;
  /** Open questions, also those that hold no task. */
  open: number;
}

/** More than a screen shows of one project. */
const MAX = 50;
/** More open questions than anybody reads. */
const MAX_OPEN = 1000;

/** What runs and what waits, in one project or in all. */
export async function gatherStatus(ledger: Ledger, only: Project | undefined): Promise<ProjectStatus[]> {
  const projects = only ? [only] : await ledger.projects.list();
  await ledger.notifications.applyDeadlines();
  const { notifications } = await ledger.notifications.list({ projectId: only?.id, limit: MAX_OPEN });
  const all: ProjectStatus[] = [];
  for (const project of projects) {
    const open = notifications.filter(({ projectId }) => projectId === project.id);
    all.push(await statusOf(ledger, project, open));
  }
  return all.filter(({ lines, open, notStarted }) => lines.length + open + notStarted > 0);
}

async function statusOf(ledger: Ledger, project: Project, open: Notification[]): Promise<ProjectStatus> {
  const { closed } = await ledger.tasks.standing(project.id);
  const tasks: Task[] = [];
  for (const status of ['in_progress', 'blocked', 'open'] as const)
    tasks.push(...(await ledger.tasks.list(project.id, { kinds: taskKinds, status })));
  const placed = tasks.map((task) => {
    const asked = open.filter((each) => waitsFor(task.id, each));
    return { task, state: stateOf(task, asked), question: asked[0] };
  });
  const begun = placed
    .filter(({ state }) => state !== 'not started')
    .sort((a, b) => taskStates.indexOf(a.state) - taskStates.indexOf(b.state));
  const lines = await Promise.all(
    begun.slice(0, MAX).map(async ({ task, state, question }) => ({
      ...{ project: project.name, task, state },
      ...(question ? { question } : {}),
      ...(await workOn(ledger, task)),
    })),
  );
  return {
    ...{ project, lines, more: begun.length - lines.length, open: open.length, done: closed },
    notStarted: placed.length - begun.length,
  };
}

/** Who works on a task, since when, what it did last and what all its agents used. */
async function workOn(
  ledger: Ledger,
  { projectId, id, status }: Task,
): Promise<Pick<TaskLine, 'agent' | 'since' | 'doing' | 'spent'>> {
  const runs = await ledger.runs.ofTask(projectId, id);
  const [last] = runs;
  if (!last) return { spent: nothingSpent };
  const work = await Promise.all(runs.map((run) => workIn(ledger, run)));
  const doing = status === 'in_progress' ? work[0]?.tool : undefined;
  return {
    ...{ agent: last.agent, since: last.startedAt },
    ...(doing === undefined ? {} : { doing }),
    spent: work.map(({ spent }) => spent).reduce(addSpent),
  };
}
