import { FermataError } from '../../schema/error.ts';
import type { Run } from '../../schema/run.ts';
import { toRunState } from '../engine/rows.ts';
import type { Tx } from '../engine/store.ts';
import { decideRun } from './run-machine.ts';
import { selectRun } from './run-sql.ts';

/** Who holds a run, as it was when they took it. */
export type Holder = Pick<Run, 'id' | 'fence'>;

/** Throws if somebody else has the run by now. In the transaction that depends on it, because a check before proves nothing. */
export async function requireHolder(tx: Tx, { id, fence }: Holder): Promise<void> {
  const row = await selectRun(tx, tx.projectId, id);
  if (!row) throw unknownRun(id);
  decideRun(toRunState(row), { kind: 'heartbeat', fence, leaseUntil: row.lease_until ?? 0 });
}

export function unknownRun(id: string): FermataError {
  return new FermataError('not_found', `There is no run ${id} in this project.`);
}
