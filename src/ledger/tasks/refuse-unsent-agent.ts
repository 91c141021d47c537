import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import type { TaskRow } from '../engine/tables.ts';
import type { TaskCommand } from './task-machine.ts';

/** What can be done to a task: a step of its lifecycle, a record in its log, a new dependency. */
type TaskAction = TaskCommand['kind'] | 'record' | 'depend';

/** What an agent may do with the phase it works on. The rest belongs to its run or to a person. */
const allowedOnOwnTask: ReadonlySet<TaskAction> = new Set(['heartbeat', 'release', 'block', 'record']);

/** Consequences of a question, a result or an expired lease, which no actor causes directly. */
export const consequences: ReadonlySet<TaskAction> = new Set([
  ...(['ask', 'answered', 'expired', 'finish', 'reclaim'] as const),
]);

/**
 * An agent can neither claim nor end a task that Fermata carries out (a phase, a task queued for workers, the
 * agent's own task), nor report on one that it was not started for. It may do any other task.
 */
export function refuseUnsentAgent(
  by: By,
  row: Pick<TaskRow, 'id' | 'kind' | 'needs'>,
  action: TaskAction,
): void {
  if (by.actor.kind !== 'agent' || consequences.has(action)) return;
  const isOwn = by.task === row.id;
  if (isOwn && allowedOnOwnTask.has(action)) return;
  if (row.kind === 'task' && row.needs === null && !isOwn) return;
  const kind = row.kind === 'phase' ? 'a phase of a plan' : 'not a plain task';
  const what = row.kind !== 'task' ? kind : isOwn ? 'your task' : 'queued for workers';
  const why =
    by.task === undefined || isOwn
      ? `${row.id} is ${what}, so an agent may not change it. Only its run or a person can.`
      : `Your task is ${by.task}, not ${row.id}.`;
  throw new FermataError('forbidden', why);
}
