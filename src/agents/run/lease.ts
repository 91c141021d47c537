import { isSameMachine, thisMachine } from './this-machine.ts';

/** How long we keep a run or a task without a heartbeat; after that another process may take it. */
export const PROCESS_LEASE_SECONDS = 20;
const RENEW_MS = (PROCESS_LEASE_SECONDS * 1000) / 4;
/** After two failed renewals, there is still time to end the agent before the lease expires. */
const LOST_MS = RENEW_MS * 2.5;

/** The holder of a run or a task: this process. */
export const processName = () => `${thisMachine()}:${process.pid}`;

/** True if the holder was a process of this machine that no longer exists. For other machines, only the lease decides. */
export function isDeadHolder(holder: string): boolean {
  const [, where, pid] = /^(.*):(\d+)$/.exec(holder) ?? [];
  if (where === undefined || !isSameMachine(where, thisMachine())) return false;
  return isDeadProcess(Number(pid));
}

/** True if this machine has no process with this pid. */
export function isDeadProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Why a lease is lost: another process has it, or we were silent for so long that another may. */
export type LeaseLoss = 'taken' | 'silent';

/**
 * Renews a lease while we work. `lost` is aborted, with a `LeaseLoss`, when another process may have taken over, early
 * enough to end what we started before that can happen.
 */
export function keepLease(heartbeat: () => Promise<unknown>): { stop(): void; lost: AbortSignal } {
  const lost = new AbortController();
  const lose = (why: LeaseLoss) => lost.abort(why);
  let renewed = performance.now();
  let isRenewing = false;
  const renew = async () => {
    // Use a monotonic clock, which also counts the time that an unreachable store takes to fail.
    const now = performance.now();
    if (now - renewed > LOST_MS) lose('silent');
    if (isRenewing) return;
    isRenewing = true;
    try {
      await heartbeat();
      renewed = now;
    } catch (error) {
      if ((error as { code?: string }).code === 'stale') lose('taken');
    } finally {
      isRenewing = false;
    }
  };
  const timer = setInterval(() => void renew(), RENEW_MS);
  return { stop: () => clearInterval(timer), lost: lost.signal };
}
