import type { By } from '../../schema/actor.ts';
import { NOT_IN_PLAN, type TaskInput } from '../../schema/task.ts';
import type { Tx } from '../engine/store.ts';
import type { TaskRow } from '../engine/tables.ts';
import { addDependency, addTask } from './add-task.ts';
import { changeTask, requireTask } from './change-task.ts';
import {
  addToUnfinished,
  decrementUnfinished,
  deleteDependency,
  selectDependencies,
} from './task-dependency-sql.ts';
import { markPhase, refreshStatistics, selectTask, updateInput } from './task-sql.ts';

/** Adds missing phases of the plan in this folder, restores dropped ones, and gives each exactly its dependencies. */
export async function ensureTasks(
  tx: Tx,
  plan: string,
  tasks: TaskInput[],
  closed: ReadonlySet<string>,
  by: By,
): Promise<void> {
  const phase = { kind: 'phase' as const, input: { plan } };
  let added = 0;
  for (const task of tasks) {
    const known = task.id === undefined ? undefined : await selectTask(tx, tx.projectId, task.id);
    if (known?.block_reason === NOT_IN_PLAN)
      await changeTask(tx, known, { kind: 'unblock', openQuestions: 0 }, by);
    if (known?.kind === 'phase' && known.input !== JSON.stringify(phase.input))
      await updateInput(tx, known.id, JSON.stringify(phase.input));
    if (known && known.kind !== 'phase') await adopt(tx, known, plan, closed.has(known.id), by);
    if (known) continue;
    const id = await addTask(tx, { ...task, dependsOn: [] }, by, phase);
    added += 1;
    if (closed.has(id)) await changeTask(tx, await requireTask(tx, id), { kind: 'close' }, by);
  }
  const own = new Set(tasks.map(({ id }) => id));
  for (const { id = '', dependsOn = [] } of tasks) await waitForExactly(tx, id, dependsOn, own);
  await refreshStatistics(tx, added);
}

/** A task that somebody added under the id of a phase becomes that phase; its earlier state does not count. */
async function adopt(tx: Tx, row: TaskRow, plan: string, isClosed: boolean, by: By): Promise<void> {
  const { id, status, assignee } = row;
  if (status === 'closed' && !isClosed) {
    await changeTask(tx, row, { kind: 'reopen', openQuestions: 0 }, by);
    await addToUnfinished(tx, id, 1);
  }
  if (status === 'in_progress') {
    await changeTask(tx, row, { kind: 'reclaim', now: tx.now, dead: assignee ?? undefined }, by);
  }
  await markPhase(tx, id, JSON.stringify({ plan }));
}

/** Keeps dependencies on tasks that are not `own`, because a person added them. */
async function waitForExactly(
  tx: Tx,
  id: string,
  wanted: string[],
  own: ReadonlySet<string | undefined>,
): Promise<void> {
  const known = (await selectDependencies(tx, tx.projectId, [id])).map(({ depends_on }) => depends_on);
  for (const old of known.filter((each) => own.has(each) && !wanted.includes(each))) {
    const other = await requireTask(tx, old);
    if ((await deleteDependency(tx, id, old)) && other.status !== 'closed') await decrementUnfinished(tx, id);
  }
  for (const each of wanted.filter((one) => !known.includes(one))) await addDependency(tx, id, each);
}
