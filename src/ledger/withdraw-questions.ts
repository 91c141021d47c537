import type { By } from '../schema/actor.ts';
import { isForTask } from './machine/holds.ts';
import { iso, toNotification } from './rows.ts';
import { settle } from './settle.ts';
import { selectOpenForTask } from './store/notifications.ts';
import type { Tx } from './store/store.ts';

/** Takes back everything that a task waits for a person with. */
export async function withdrawQuestions(tx: Tx, taskId: string, reason: string, by: By): Promise<void> {
  for (const row of await selectOpenForTask(tx, taskId)) {
    if (isForTask(toNotification(row)))
      await settle(tx, row, { kind: 'withdraw', reason, by, at: iso(tx.now) }, by);
  }
}
