import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import type { TaskRow } from '../engine/tables.ts';
import type { TaskCommand } from './task-machine.ts';

/** What can be done to a task: a step of its lifecycle, a record in its log, a new dependency. */
type TaskAction = TaskCommand['kind'] | 'record' | 'depend';

/** What an agent may do with the phase it works on. The rest belongs to its run or to a person. */
const ofItsOwn: ReadonlySet<TaskAction> = new Set(['heartbeat', 'release', 'block', 'record']);

/** Consequences of a question or an expired lease, which no actor causes directly. */
export const consequences: ReadonlySet<TaskAction> = new Set(['ask', 'answered', 'expired', 'reclaim']);

/** An agent can neither claim nor end a phase, nor report on one that it does not work on. Plain tasks have no such limits. */
export function refuseUnsentAgent(by: By, row: Pick<TaskRow, 'id' | 'is_phase'>, action: TaskAction): void {
  if (by.actor.kind !== 'agent' || row.is_phase === 0 || consequences.has(action)) return;
  if (by.task === row.id && ofItsOwn.has(action)) return;
  const why =
    by.task === undefined || by.task === row.id
      ? `${row.id} is ${row.id.includes('/') ? 'a phase of a plan' : 'work for a worker'}, so an agent may not do this to it. Only its run or a person may.`
      : `Your task is ${by.task}, not ${row.id}.`;
  throw new FermataError('forbidden', why);
}
