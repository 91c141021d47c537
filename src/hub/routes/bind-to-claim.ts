import type { Ledger } from '../../ledger/ledger.ts';
import { blocksTask, kindOf, runOf } from '../../ledger/notifications/holds.ts';
import { FermataError } from '../../schema/error.ts';
import type { CreateInput } from '../../schema/notification.ts';
import { mayBePhase } from '../../work/phases/phase-task.ts';
import type { Caller } from '../auth/caller.ts';
import { refuseForeignClaim } from './task-holder.ts';

/**
 * An agent may ask only for a run that it holds, or a task that nobody else holds. The question gets the fence of the
 * claim, so that this is checked again when the question is stored. An agent may not open a gate in its own words,
 * because an answer to something else could then pass the gate.
 */
export async function bindToClaim(
  { runs, tasks }: Ledger,
  caller: Caller,
  input: CreateInput,
): Promise<void> {
  const { projectId, sourceId, resume, run, fence } = input;
  const kind = kindOf(input);
  if (kind === 'gate') {
    throw new FermataError(
      'forbidden',
      'An agent must open a gate with its command ("fermata plan block-…-gate").',
    );
  }
  for (const named of [run, resume?.run]) {
    if (named !== undefined && (await runs.get(projectId, named)).holder !== caller.name)
      throw new FermataError('forbidden', `Run ${named} belongs to another agent.`);
  }
  const holds = { task: sourceId, run: runOf(input) };
  if (fence === undefined && !blocksTask({ kind, holds })) return;
  refusePhase(sourceId);
  const task = await tasks.find(projectId, sourceId);
  if (!task) return;
  refuseForeignClaim(caller, task);
  input.fence ??= task.fence;
}

/** A question would block the phase, and its answer would go into the next prompt. No token is ever issued for a phase. */
function refusePhase(sourceId: string): void {
  if (!mayBePhase(sourceId)) return;
  throw new FermataError(
    'forbidden',
    `${sourceId} looks like a phase of a plan, and only the agent of its run can ask about it. Use another task.`,
  );
}
