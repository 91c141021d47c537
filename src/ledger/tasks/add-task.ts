import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import type { TaskInput } from '../../schema/task.ts';
import type { Work } from '../../schema/work.ts';
import type { Tx } from '../engine/store.ts';
import { nextTaskNumber } from '../projects/project-sql.ts';
import { requireTask } from './change-task.ts';
import { hasDependents, incrementUnfinished, insertDependency, reaches } from './task-dependency-sql.ts';
import { insertTask } from './task-sql.ts';

/** Adds a task with its dependencies inside a transaction; returns its id. */
export async function addTask(
  tx: Tx,
  task: TaskInput,
  by: By,
  work: Pick<Work, 'kind' | 'input'> = { kind: 'task', input: {} },
): Promise<string> {
  const id = await insertNewTask(tx, task, work, by);
  for (const dependsOn of task.dependsOn ?? []) await addDependency(tx, id, dependsOn);
  tx.emit({
    type: 'task.updated',
    by,
    data: { id, kind: work.kind, title: task.title, status: 'open', added: true },
  });
  return id;
}

/** False if it already existed. A task that nothing depends on cannot close a cycle, so only others are searched. */
export async function addDependency(tx: Tx, id: string, dependsOn: string): Promise<boolean> {
  if (id === dependsOn) throw new FermataError('invalid', `Task ${id} cannot depend on itself.`);
  const other = await requireTask(tx, dependsOn);
  if ((await hasDependents(tx, id)) && (await reaches(tx, dependsOn, id))) {
    throw new FermataError(
      'invalid',
      `Task ${id} cannot depend on ${dependsOn}: ${dependsOn} already depends on ${id}.`,
    );
  }
  if (!(await insertDependency(tx, { project_id: tx.projectId, task_id: id, depends_on: dependsOn })))
    return false;
  if (other.status !== 'closed') await incrementUnfinished(tx, id);
  return true;
}

/** A given id must be free; otherwise we use the next free one. */
async function insertNewTask(
  tx: Tx,
  task: TaskInput,
  { kind, input }: Pick<Work, 'kind' | 'input'>,
  by: By,
): Promise<string> {
  for (;;) {
    const position = await nextTaskNumber(tx);
    const id = task.id ?? `t${position}`;
    const added = await insertTask(tx, {
      project_id: tx.projectId,
      id,
      title: task.title,
      body: task.body ?? '',
      status: 'open',
      assignee: null,
      block_reason: null,
      priority: task.priority ?? 2,
      position,
      unfinished: 0,
      fence: 0,
      lease_until: null,
      kept_for: null,
      claimed_by: null,
      kind,
      input: JSON.stringify(input),
      options: null,
      requested_by: JSON.stringify(by),
      requested_at: null,
      result: null,
      needs: null,
      home: null,
      paused: 0,
      queued: 0,
      created_at: tx.now,
      updated_at: tx.now,
      closed_at: null,
    });
    if (added) return id;
    if (task.id) throw new FermataError('conflict', `Task ${id} already exists. Choose another id.`);
  }
}
