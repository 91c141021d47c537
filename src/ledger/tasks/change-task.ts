import type { By } from '../../schema/actor.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import type { Tx } from '../engine/store.ts';
import type { TaskRow } from '../engine/tables.ts';
import { countForAgent } from '../notifications/agent-limits.ts';
import { consequences, refuseUnsentAgent } from './refuse-unsent-agent.ts';
import { decideTask, type TaskCommand } from './task-machine.ts';
import { toTaskState } from './task-row.ts';
import { selectTask, updateTask } from './task-sql.ts';

/**
 * Applies a command to a task inside a transaction: decided by the state machine, written by compare-and-set. Undefined if
 * nothing changed.
 */
export async function changeTask(
  tx: Tx,
  row: TaskRow,
  command: TaskCommand,
  by: By,
): Promise<TaskRow | undefined> {
  refuseUnsentAgent(by, row, command.kind);
  const before = toTaskState(row);
  const after = decideTask(before, command);
  if (!after) return undefined;
  if (!consequences.has(command.kind)) await countForAgent(tx, by, 'change');
  const changed = await updateTask(tx, before, after);
  if (!changed) {
    throw new FermataError(
      'stale',
      `Task ${row.id} was changed by someone else at the same time. Try again.`,
    );
  }
  if (command.kind !== 'heartbeat') {
    const { id, status, assignee, blockReason, fence } = after;
    tx.emit({
      type: 'task.updated',
      by,
      data: { id, kind: row.kind, title: row.title, status, assignee, blockReason, fence },
    });
  }
  return changed;
}

export async function requireTask(tx: Tx, id: string): Promise<TaskRow> {
  const row = await selectTask(tx, tx.projectId, id);
  if (!row) throw unknownTask(id);
  return row;
}

export function unknownTask(id: string): FermataError {
  return new FermataError(
    'not_found',
    `There is no task ${id} in this project. "${cmd`tasks list`}" shows them.`,
  );
}
