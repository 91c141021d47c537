import { signal } from '@preact/signals';
import type { Task } from '../../../src/schema/task.ts';
import { hub } from '../api/hub.ts';
import { onEvent, onReturn } from './live.ts';
import { leftOut } from './session.ts';

/** Tasks of the projects that have something open: what a question holds up. By project id. */
export const tasksByProject = signal<Readonly<Record<string, readonly Task[]>>>({});

const wanted = new Set<string>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export function watchTasks(projectIds: Iterable<string>): void {
  for (const id of projectIds) {
    if (wanted.has(id)) continue;
    wanted.add(id);
    void read(id);
  }
}

export function startTasks(): void {
  onEvent(({ type, projectId }) => {
    if (type !== 'task.updated' || !wanted.has(projectId) || timers.has(projectId)) return;
    timers.set(
      projectId,
      setTimeout(() => {
        timers.delete(projectId);
        void read(projectId);
      }, 150),
    );
  });
  onReturn(() => {
    for (const id of wanted) void read(id);
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
