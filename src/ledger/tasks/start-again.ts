import type { By } from '../../schema/actor.ts';
import { isAsking, type TaskKind } from '../../schema/task.ts';
import type { Tx } from '../engine/store.ts';
import type { TaskRow } from '../engine/tables.ts';
import { changeTask } from './change-task.ts';
import { addToUnfinished } from './task-dependency-sql.ts';
import { toTaskState } from './task-row.ts';

/** What they gave before is used again. */
const keepsResult = new Set<TaskKind>(['plan_from_issues', 'analyze']);

/** What is neither a plain task nor a phase is wanted again, although it has ended or failed. */
export async function startAgain(tx: Tx, row: TaskRow, by: By): Promise<void> {
  const { id, status, kind } = row;
  if (kind === 'task' || kind === 'phase') return;
  if (status === 'closed' && (row.result === null || keepsResult.has(kind))) {
    await changeTask(tx, row, { kind: 'reopen', openQuestions: 0 }, by);
    await addToUnfinished(tx, id, 1);
  }
  if (status === 'blocked' && !isAsking(toTaskState(row)))
    await changeTask(tx, row, { kind: 'unblock', openQuestions: 0 }, by);
}
