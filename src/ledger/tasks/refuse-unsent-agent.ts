import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import type { TaskRow } from '../engine/tables.ts';
import type { TaskCommand } from './task-machine.ts';

/** What can be done to a task: a step of its life, a record in its log, another task that it waits for. */
type TaskAction = TaskCommand['kind'] | 'record' | 'depend';

/** What an agent may do with the phase that it was sent out for. The rest of its life is its run's, or a person's. */
const ofItsOwn: ReadonlySet<TaskAction> = new Set(['heartbeat', 'release', 'block', 'record']);

/** What follows from a question, or from a lease that ran out: nobody does it to a phase. */
export const consequences: ReadonlySet<TaskAction> = new Set(['ask', 'answered', 'expired', 'reclaim']);

/** An agent can neither claim nor end a phase, nor report on one that it was not sent out for. Plain tasks are free. */
export function refuseUnsentAgent(by: By, row: Pick<TaskRow, 'id' | 'is_phase'>, action: TaskAction): void {
  if (by.actor.kind !== 'agent' || row.is_phase === 0 || consequences.has(action)) return;
  if (by.task === row.id && ofItsOwn.has(action)) return;
  const why =
    by.task === undefined || by.task === row.id
      ? `${row.id} is a phase of a plan, so an agent may not do this to it. Only its run or a person may.`
      : `Your task is ${by.task}, not ${row.id}.`;
  throw new FermataError('forbidden', why);
}
