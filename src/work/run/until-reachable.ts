import { setTimeout as sleep } from 'node:timers/promises';
import { isRemoteUnreachable } from '../../git/remote/remote-git.ts';
import { FermataError } from '../../schema/error.ts';

export interface Patient {
  signal: AbortSignal;
  tell(sentence: string): void;
  /** Whether a missing remote is an error, as it is at the start of a run. */
  isNew?: boolean;
}

const MIN_MS = 1000;
const MAX_MS = 30_000;

/**
 * Retries while the remote is unavailable: nothing failed, and no attempt is used up. Reports it once, and again when it
 * is back.
 */
export async function untilReachable<T>(
  { signal, tell, isNew = false }: Patient,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      const result = await work();
      if (tries > 0) tell('the remote is back');
      return result;
    } catch (error) {
      if (!passes(error) || (isNew && isMissing(error)) || signal.aborted) throw error;
      if (tries === 0) tell(`waits for the remote: ${error.message}`);
      const wait = Math.min(MIN_MS * 2 ** tries, MAX_MS);
      await sleep(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}

/**
 * Errors that pass: an unreachable remote, or a lock that another phase on this machine holds while it waits for the
 * remote.
 */
const passes = (error: unknown): error is FermataError =>
  isRemoteUnreachable(error) ||
  (error instanceof FermataError && error.code === 'busy' && isLock(error.details));

const isLock = (details: unknown) => typeof details === 'object' && details !== null && 'lock' in details;

const isMissing = (error: unknown) => isRemoteUnreachable(error) && error.type === 'remote_missing';
