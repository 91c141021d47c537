import { isSameMachine, thisMachine } from './this-machine.ts';

/** How long a run or a task stays ours without a sign of life; after that another process may take it up. */
export const PROCESS_LEASE_SECONDS = 20;
const RENEW_MS = (PROCESS_LEASE_SECONDS * 1000) / 4;
/** Two renewals failed: at the third, there is still time for an agent to end. */
const LOST_MS = RENEW_MS * 2.5;

/** Who holds a run or a task: this process. */
export const processName = () => `${thisMachine()}:${process.pid}`;

/** True where a holder was a process of this machine that is there no more. Of others, only the lease tells. */
export function isDeadHolder(holder: string): boolean {
  const [, where, pid] = /^(.*):(\d+)$/.exec(holder) ?? [];
  if (where === undefined || !isSameMachine(where, thisMachine())) return false;
  return isDeadProcess(Number(pid));
}

/** True where this machine has no process of this number. */
export function isDeadProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Why a lease is lost: somebody else has it, or we were not heard of for so long that somebody may. */
export type LeaseLoss = 'taken' | 'silent';

/**
 * Renews a lease while we work; `lost` is aborted, with a `LeaseLoss`, when somebody else may have taken what it is for.
 * Early enough to end what we have started before that can happen.
 */
export function keepLease(heartbeat: () => Promise<unknown>): { stop(): void; lost: AbortSignal } {
  const lost = new AbortController();
  const lose = (why: LeaseLoss) => lost.abort(why);
  let renewed = performance.now();
  let isRenewing = false;
  const renew = async () => {
    // By a clock that nobody sets, and however long a store that is away takes to say so.
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
