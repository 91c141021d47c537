import type { By } from '../../schema/actor.ts';
import { type AssignmentWork, isAssignment, Work } from '../../schema/work-order.ts';
import type { Tx } from '../engine/store.ts';
import { iso } from '../engine/stored.ts';
import { orderKey } from '../tasks/assignment-key.ts';
import { selectWorkOrder } from '../tasks/work-order-sql.ts';
import { isForTask } from './holds.ts';
import { selectOpenForTask, selectOpenOfRuns, toNotification } from './notification-sql.ts';
import { settle } from './settle.ts';

/** Withdraws every open question that a task waits for; of an assignment for workers, those that its agents asked. */
export async function withdrawQuestions(tx: Tx, taskId: string, reason: string, by: By): Promise<void> {
  for (const row of await selectOpenForTask(tx, taskId)) {
    if (isForTask(toNotification(row)))
      await settle(tx, row, { kind: 'withdraw', reason, by, at: iso(tx.now) }, by);
  }
  const order = await selectWorkOrder(tx, tx.projectId, [taskId, taskId]);
  const work = order && Work.parse(JSON.parse(order.work));
  if (!work || !isAssignment(work)) return;
  for (const { run_data, ...row } of await selectOpenOfRuns(tx)) {
    if (isRunOf(taskId, work, JSON.parse(run_data)))
      await settle(tx, row, { kind: 'withdraw', reason, by, at: iso(tx.now) }, by);
  }
}

/** Whether a run belongs to an assignment, by what it was started for. */
function isRunOf(
  scope: string,
  work: AssignmentWork,
  run: { about?: string; consultation?: string },
): boolean {
  return work.kind === 'role' ? run.consultation === work.consultation : run.about === orderKey(scope, work);
}
