import type { By } from '../../schema/actor.ts';
import { NOT_IN_PLAN } from '../../schema/task.ts';
import type { Tx } from '../engine/store.ts';
import { withdrawQuestions } from '../notifications/withdraw-questions.ts';
import { changeTask } from './change-task.ts';
import { decrementUnfinished, deleteDependency, selectDependents } from './task-dependency-sql.ts';
import { selectTasks } from './task-sql.ts';

/** More than any plan has. */
const MAX_TASKS = 100_000;

/**
 * Drops what a plan no longer has, inside a transaction: of the tasks whose id begins with `within`, all but `kept`.
 * Withdraws their open questions, and no other task of the plan depends on them. Returns their ids.
 */
export async function dropTasks(
  tx: Tx,
  within: string,
  kept: ReadonlySet<string>,
  by: By,
): Promise<string[]> {
  const rows = await selectTasks(tx, tx.projectId, { within, limit: MAX_TASKS });
  const gone = rows.filter(
    ({ id, status, block_reason }) => !kept.has(id) && status !== 'closed' && block_reason !== NOT_IN_PLAN,
  );
  for (const row of gone) {
    await changeTask(tx, row, { kind: 'block', reason: NOT_IN_PLAN }, by);
    await withdrawQuestions(tx, row.id, `Task ${row.id} is no longer in its plan.`, by);
    for (const id of await selectDependents(tx, row.id)) {
      if (id.startsWith(within) && (await deleteDependency(tx, id, row.id)))
        await decrementUnfinished(tx, id);
    }
  }
  return gone.map(({ id }) => id);
}
