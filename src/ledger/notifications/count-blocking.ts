import type { Tx } from '../engine/store.ts';
import { blocksTask } from './holds.ts';
import { toNotification } from './notification-row.ts';
import { selectOpenForTask } from './notification-sql.ts';

/** How many open notifications block this task. */
export async function countBlocking(tx: Tx, taskId: string): Promise<number> {
  const open = (await selectOpenForTask(tx, taskId)).map(toNotification);
  return open.filter(blocksTask).length;
}
