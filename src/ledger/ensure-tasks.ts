import type { By } from '../schema/actor.ts';
import { NOT_IN_PLAN, type TaskInput } from '../schema/task.ts';
import { addDependency, addTask } from './add-task.ts';
import { changeTask, requireTask } from './change-task.ts';
import type { Tx } from './store/store.ts';
import { decrementUnfinished, deleteDependency, selectDependencies } from './store/task-dependencies.ts';
import { selectTask } from './store/tasks.ts';

/** Adds what is missing, brings back what was dropped, and lets each wait for exactly what it is given. */
export async function ensureTasks(
  tx: Tx,
  tasks: TaskInput[],
  closed: ReadonlySet<string>,
  by: By,
): Promise<void> {
  for (const task of tasks) {
    const known = task.id === undefined ? undefined : await selectTask(tx, tx.projectId, task.id);
    if (known?.block_reason === NOT_IN_PLAN)
      await changeTask(tx, known, { kind: 'unblock', openQuestions: 0 }, by);
    if (known) continue;
    const id = await addTask(tx, { ...task, dependsOn: [] }, by);
    if (closed.has(id)) await changeTask(tx, await requireTask(tx, id), { kind: 'close' }, by);
  }
  const own = new Set(tasks.map(({ id }) => id));
  for (const { id = '', dependsOn = [] } of tasks) await waitForExactly(tx, id, dependsOn, own);
}

/** Of what is not `own`, a person said that it waits for it. */
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
