import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import { isAsking } from '../../schema/task.ts';
import type { Tx } from '../engine/store.ts';
import { withdrawQuestions } from '../notifications/withdraw-questions.ts';
import { addTask } from './add-task.ts';
import { changeTask, requireTask } from './change-task.ts';
import { toTaskState } from './task-row.ts';
import { selectTask } from './task-sql.ts';

/** The task by which one worker takes an assignment. A finished or failed one starts again. */
export async function ensureAssignmentTask(tx: Tx, id: string, title: string, by: By): Promise<void> {
  const row = await selectTask(tx, tx.projectId, id);
  if (!row) {
    await addTask(tx, { projectId: tx.projectId, id, title }, by, true);
    return;
  }
  const { status, assignee, is_phase } = row;
  if (is_phase === 0)
    throw new FermataError('conflict', `There is another task ${id}, which a person or an agent added.`);
  if (status === 'in_progress')
    throw new FermataError('conflict', `${assignee} is already working on ${id}. Withdraw it first.`);
  if (status === 'closed') await changeTask(tx, row, { kind: 'reopen', openQuestions: 0 }, by);
  if (status === 'blocked' && !isAsking(toTaskState(row)))
    await changeTask(tx, row, { kind: 'unblock', openQuestions: 0 }, by);
}

/** Ends it, and a worker that has started it stops. */
export async function closeAssignmentTask(tx: Tx, id: string, by: By): Promise<void> {
  await changeTask(tx, await requireTask(tx, id), { kind: 'close' }, by);
  await withdrawQuestions(tx, id, `${id} was withdrawn from workers.`, by);
}
