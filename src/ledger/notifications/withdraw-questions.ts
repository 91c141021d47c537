import type { By } from '../../schema/actor.ts';
import { iso } from '../engine/iso.ts';
import type { Tx } from '../engine/store.ts';
import { isForTask } from './holds.ts';
import { toNotification } from './notification-row.ts';
import { selectOpenForTask } from './notification-sql.ts';
import { settle } from './settle.ts';

/** Withdraws every open question that a task waits for. */
export async function withdrawQuestions(tx: Tx, taskId: string, reason: string, by: By): Promise<void> {
  for (const row of await selectOpenForTask(tx, taskId)) {
    if (isForTask(toNotification(row)))
      await settle(tx, row, { kind: 'withdraw', reason, by, at: iso(tx.now) }, by);
  }
}
