import { FermataError } from '../../schema/error.ts';
import type { Run } from '../../schema/run.ts';
import type { Tx } from '../engine/store.ts';
import { decideRun } from './run-machine.ts';
import { toRunState } from './run-row.ts';
import { selectRun } from './run-sql.ts';

/** The holder of a run, as of when it took the run. */
export type Holder = Pick<Run, 'id' | 'fence'>;

/**
 * Throws if another process has the run by now. Call it in the transaction that depends on it, because an earlier check
 * proves nothing.
 */
export async function requireHolder(tx: Tx, { id, fence }: Holder): Promise<void> {
  const row = await selectRun(tx, tx.projectId, id);
  if (!row) throw unknownRun(id);
  decideRun(toRunState(row), { kind: 'heartbeat', fence, leaseUntil: row.lease_until ?? 0 });
}

export function unknownRun(id: string): FermataError {
  return new FermataError('not_found', `There is no run ${id} in this project.`);
}
