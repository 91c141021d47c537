import type { By } from '../../schema/actor.ts';
import type { Tx } from '../engine/store.ts';
import { iso } from '../engine/stored.ts';
import { selectTask } from '../tasks/task-sql.ts';
import { isForTask } from './holds.ts';
import { selectOpenForTask, selectOpenOfRuns, toNotification } from './notification-sql.ts';
import { settle } from './settle.ts';

/** Withdraws every open question that a task waits for; of one that is answered in words, what its agents asked. */
export async function withdrawQuestions(tx: Tx, taskId: string, reason: string, by: By): Promise<void> {
  for (const row of await selectOpenForTask(tx, taskId)) {
    if (isForTask(toNotification(row)))
      await settle(tx, row, { kind: 'withdraw', reason, by, at: iso(tx.now) }, by);
  }
  const task = await selectTask(tx, tx.projectId, taskId);
  if (!task || task.kind === 'task' || task.kind === 'phase') return;
  for (const row of await selectOpenOfRuns(tx, taskId))
    await settle(tx, row, { kind: 'withdraw', reason, by, at: iso(tx.now) }, by);
}
