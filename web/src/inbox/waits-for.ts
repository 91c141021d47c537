import type { Notification } from '../../../src/schema/notification.ts';

/** Whether a task waits for an answer to it: the one that asked, or, at a variants gate, each of the variants. */
export function waitsFor(taskId: string, { resume, sourceId, gate }: Notification): boolean {
  const asker = resume?.task ?? sourceId;
  return taskId === asker || (gate?.kind === 'variants' && taskId.startsWith(`${asker}-`));
}
