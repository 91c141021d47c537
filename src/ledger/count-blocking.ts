import { blocksTask } from './machine/holds.ts';
import { toNotification } from './rows.ts';
import { selectOpenForTask } from './store/notifications.ts';
import type { Tx } from './store/store.ts';

/** How many open notifications block this task. */
export async function countBlocking(tx: Tx, taskId: string): Promise<number> {
  const open = (await selectOpenForTask(tx, taskId)).map(toNotification);
  return open.filter(blocksTask).length;
}
