import { signal } from '@preact/signals';
import type { Task } from '../../../src/schema/task.ts';
import { hub } from '../api/hub.ts';
import { onEvent, onReturn } from './live.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { leftOut } from './session.ts';

/** Tasks of the projects that have something open: what a question holds up. By project id. */
export const tasksByProject = signal<Readonly<Record<string, readonly Task[]>>>({});

/** Of each project that is wanted: reads its tasks again. */
const wanted = new Map<string, () => Promise<void>>();

/** Keeps the tasks of these projects at hand; resolves when all of them have been read once. */
export async function watchTasks(projectIds: Iterable<string>): Promise<void> {
  const ids = [...projectIds];
  for (const id of ids)
    if (!wanted.has(id))
      wanted.set(
        id,
        oneAtATime(() => read(id)),
      );
  const unread = ids.filter((id) => tasksByProject.peek()[id] === undefined);
  await Promise.all(unread.map((id) => wanted.get(id)?.()));
}

export function startTasks(): void {
  onEvent(({ type, projectId }) => {
    if (type === 'task.updated') void wanted.get(projectId)?.();
  });
  onReturn(() => {
    for (const readAgain of wanted.values()) void readAgain();
  });
}

async function read(projectId: string): Promise<void> {
  try {
    const { rows } = await hub.tasks(projectId);
    tasksByProject.value = { ...tasksByProject.peek(), [projectId]: rows };
  } catch (error) {
    // The inbox does without: it only cannot say what else waits.
    leftOut(error);
  }
}
