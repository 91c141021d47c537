import { isDeadHolder, keepLease, PROCESS_LEASE_SECONDS, processName } from '../../agents/run/lease.ts';
import type { PlanRunResult } from '../../schema/plan-run.ts';
import type { WorkOf } from '../../schema/work.ts';
import type { Context } from '../context.ts';
import type { TaskName } from '../worker/task-names.ts';
import { failureReason, ignoreStale } from './faults.ts';

/** How attended work came out: `problem` says why it failed. */
interface Came {
  result: PlanRunResult;
  problem?: string;
}

/** Adds a task for work that was asked for at a terminal, or finds it, and does it. */
export async function attendTask<Outcome extends Came>(
  context: Context,
  { name, work }: { name: TaskName; work: WorkOf<'draft' | 'convert' | 'plan_from_issues'> },
  stop: AbortSignal | undefined,
  perform: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  if (context.held) return perform(stop ?? new AbortController().signal);
  const { id: projectId } = await context.project();
  const { ledger, who } = context;
  await ledger.tasks.freeFromDead(projectId, name.id, isDeadHolder, who);
  const { id } = await ledger.tasks.submit({ projectId, ...name }, work, who);
  return holdTask(context, id, stop, perform, (came) => came);
}

/**
 * Does a task in this process, under the task's lease, so that everybody sees it and can stop it, and nobody does it twice. A
 * worker holds the task already; an agent that asks a role may hold nothing.
 */
export async function holdTask<Outcome>(
  context: Context,
  id: string,
  stop: AbortSignal | undefined,
  perform: (signal: AbortSignal) => Promise<Outcome>,
  cameOf: (outcome: Outcome) => Came,
): Promise<Outcome> {
  const given = stop ?? new AbortController().signal;
  const { ledger, who, held } = context;
  if (held || who.actor.kind === 'agent') return perform(given);
  const { id: projectId } = await context.project();
  const claim = { worker: processName(), leaseSeconds: PROCESS_LEASE_SECONDS };
  await ledger.tasks.freeFromDead(projectId, id, isDeadHolder, who);
  const { fence } = await ledger.tasks.claim(projectId, id, claim, who);
  const lease = keepLease(() => ledger.tasks.heartbeat(projectId, id, fence, PROCESS_LEASE_SECONDS, who));
  try {
    const outcome = await perform(AbortSignal.any([given, lease.lost]));
    const { result, problem = '' } = cameOf(outcome);
    if (result === 'done') await ignoreStale(ledger.tasks.end(projectId, id, who, fence));
    if (result === 'failed')
      await ignoreStale(ledger.tasks.block(projectId, id, failureReason(problem), who, fence));
    return outcome;
  } finally {
    lease.stop();
    await ignoreStale(ledger.tasks.release(projectId, id, fence, who));
  }
}
