import { FermataError } from '../../schema/error.ts';
import type { RunStatus } from '../../schema/run.ts';

/** The part of a run that changes over its lifetime. */
export interface RunState {
  id: string;
  status: RunStatus;
  holder: string | null;
  /** Milliseconds since 1970, by the store's clock. */
  leaseUntil: number | null;
  fence: number;
}

export type RunCommand =
  /** `dead`: a holder that is known to have died, whatever its lease says. */
  | { kind: 'take'; holder: string; leaseUntil: number; now: number; dead?: string }
  | { kind: 'heartbeat'; fence: number; leaseUntil: number }
  | { kind: 'wait'; fence: number }
  | { kind: 'say'; fence: number }
  /** What its agent made is gone. */
  | { kind: 'unsay'; fence: number }
  | { kind: 'end'; fence: number };

/** Decides the next state of a run; throws a FermataError if the command is refused. */
export function decideRun(run: RunState, command: RunCommand): RunState {
  switch (command.kind) {
    case 'take':
      return take(run, command);
    case 'heartbeat':
      requireHolder(run, command.fence);
      return { ...run, leaseUntil: command.leaseUntil };
    case 'wait':
      requireHolder(run, command.fence);
      return { ...run, status: run.status === 'said' ? 'said' : 'waiting', holder: null, leaseUntil: null };
    case 'say':
      requireHolder(run, command.fence);
      return { ...run, status: 'said' };
    case 'unsay':
      requireHolder(run, command.fence);
      return { ...run, status: 'waiting', holder: null, leaseUntil: null };
    case 'end':
      requireHolder(run, command.fence);
      return { ...run, status: 'ended', holder: null, leaseUntil: null };
    default: {
      const never: never = command;
      return never;
    }
  }
}

/** True if no live process holds it: nobody took it, or its holder stopped renewing the lease. */
export function isFree(run: RunState, now: number, dead?: string): boolean {
  if (run.status === 'ended') return false;
  if (run.status === 'waiting' || run.leaseUntil === null || run.leaseUntil <= now) return true;
  return dead !== undefined && run.holder === dead;
}

function take(run: RunState, command: Extract<RunCommand, { kind: 'take' }>): RunState {
  if (run.status === 'ended') throw new FermataError('invalid', `Run ${run.id} has ended.`);
  if (!isFree(run, command.now, command.dead)) {
    throw new FermataError(
      'conflict',
      `Run ${run.id} is held by ${run.holder}, which is alive. Wait until it ends, or end that process; its lease expires soon after.`,
      {
        details: { holder: run.holder },
      },
    );
  }
  const { holder, leaseUntil } = command;
  const status = run.status === 'said' ? 'said' : 'running';
  return { ...run, status, holder, leaseUntil, fence: run.fence + 1 };
}

function requireHolder(run: RunState, fence: number): void {
  const isHeld = run.status === 'running' || (run.status === 'said' && run.holder !== null);
  if (isHeld && run.fence === fence) return;
  throw new FermataError(
    'stale',
    `Run ${run.id} was taken over or has ended: this holder has fence ${fence}, the run has ${run.fence}. Stop working on it.`,
    { details: { fence: run.fence, status: run.status, holder: run.holder } },
  );
}
