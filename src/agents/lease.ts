import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Ledger } from '../ledger/ledger.ts';
import type { By } from '../schema/actor.ts';
import type { Run } from '../schema/run.ts';

/** How long a run stays ours without a sign of life; after that another process may take it up. */
export const LEASE_SECONDS = 20;

/** Who holds a run: this process, by machine, process namespace (containers may share a machine's name) and number. */
export const processName = () => `${place()}:${process.pid}`;

/** True where a holder was a process of this machine that is there no more. Of others, only the lease tells. */
export function isDeadHolder(holder: string): boolean {
  const [, where, pid] = /^(.*):(\d+)$/.exec(holder) ?? [];
  if (where !== place() || pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function place(): string {
  return `${hostname()}/${pidNamespace()}`;
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return 'only'; // a system without such namespaces
  }
}

/** Renews the lease while we work; `lost` is called when somebody else has taken the run. */
export function keepLease(ledger: Ledger, run: Run, by: By, lost: () => void): { stop(): void } {
  let failures = 0;
  const renew = async () => {
    try {
      await ledger.runs.heartbeat(run, LEASE_SECONDS, by);
      failures = 0;
    } catch (error) {
      failures += 1;
      // A store that is away for a moment is no loss; a lease that has run out is.
      if ((error as { code?: string }).code === 'stale' || failures * (LEASE_SECONDS / 4) > LEASE_SECONDS)
        lost();
    }
  };
  const timer = setInterval(() => void renew(), (LEASE_SECONDS * 1000) / 4);
  return { stop: () => clearInterval(timer) };
}
