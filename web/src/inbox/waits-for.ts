import type { Notification } from '../../../src/schema/notification.ts';

/** Whether a task waits for it: the task that it holds, or, at a variants gate, each of the variants. */
export function waitsFor(taskId: string, { holds, sourceId, gate }: Notification): boolean {
  return taskId === holds.task || (gate?.kind === 'variants' && taskId.startsWith(`${sourceId}-`));
}
