import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The pauses before each retry, in milliseconds. With `times` or `forMs`, the last pause repeats until there were so many
 * retries, or until so much time has passed.
 */
export interface Schedule {
  pauses: readonly number[];
  times?: number;
  forMs?: number;
  /** Varies each pause, so that several processes do not retry at the same moment. */
  jitter?: boolean;
}

/** Everything that Fermata retries by itself. */
export const schedules = {
  /** Another process writes to the same SQLite file. */
  sqliteBusy: { pauses: [2, 4, 8, 16, 32, 50], forMs: 10_000, jitter: true },
  /** Another process holds one of our lock files. */
  lockFile: { pauses: [25], forMs: 120_000 },
  /** Another git holds a lock in the same repository. */
  gitLock: { pauses: [20, 40, 80, 160, 320, 400], forMs: 10_000 },
  /** A worker that starts while another program has locked the ledger. */
  lockedLedger: { pauses: [2000], forMs: Infinity },
  /** PostgreSQL does not answer; whoever waits for it decides for how long. */
  storeOutage: { pauses: [100, 200, 400, 800, 1600, 2000], forMs: Infinity },
  /** A statement failed in an outage that is over. A server that answers but fails every time is not unavailable. */
  afterOutage: { pauses: [20, 40, 80, 160, 320, 640, 1280, 2000], times: 20 },
  /** PostgreSQL has not ended a transaction whose connection was lost. Each attempt waits as long as for a lock. */
  lostTransaction: { pauses: [0], times: 9 },
  /** GitHub does not answer, or has an internal error. */
  gitHub: { pauses: [500, 1000, 2000] },
  /** GitHub's rate limit is reached. GitHub says how long to wait. */
  gitHubRateLimit: { pauses: [60_000], times: 5 },
  /** The failure says how long to wait, however often. */
  asLongAsItSays: { pauses: [1000], forMs: Infinity },
} satisfies Record<string, Schedule>;

/** How an attempt ended: with a value or with an error. */
export interface Outcome<T> {
  value?: T;
  error?: unknown;
}

export interface RetryOptions<T> {
  /** Ends the waiting; the last outcome counts. */
  signal?: AbortSignal | undefined;
  /** Called before each pause. `failures` is 1 the first time. */
  onRetry?(outcome: Outcome<T>, failures: number): void;
  /** Called if an attempt succeeds after others failed. */
  onRecovery?(): void;
}

/**
 * Runs `attempt` again while its outcome is worth a retry and the schedule allows it; then returns its value or throws its
 * error. `isWorthIt` may return a number, which is the pause before the next attempt.
 */
export async function retry<T>(
  schedule: Schedule,
  isWorthIt: (outcome: Outcome<T>, failures: number) => boolean | number | Promise<boolean | number>,
  attempt: () => T | Promise<T>,
  { signal, onRetry, onRecovery }: RetryOptions<T> = {},
): Promise<T> {
  const begun = performance.now();
  for (let failures = 1; ; failures += 1) {
    const outcome = await outcomeOf(attempt);
    const worth = signal?.aborted ? false : await isWorthIt(outcome, failures);
    const planned = pauseAfter(schedule, failures, performance.now() - begun);
    if (worth === false || planned === undefined) {
      if (worth === false && failures > 1 && !('error' in outcome)) onRecovery?.();
      return resultOf(outcome);
    }
    onRetry?.(outcome, failures);
    const pause = worth === true ? planned : worth;
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal?.aborted) return resultOf(outcome);
  }
}

async function outcomeOf<T>(attempt: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await attempt() };
  } catch (error) {
    return { error };
  }
}

function resultOf<T>(outcome: Outcome<T>): T {
  if ('error' in outcome) throw outcome.error;
  return outcome.value as T;
}

/** Undefined if there is no further attempt. */
function pauseAfter(
  { pauses, times, forMs, jitter }: Schedule,
  failures: number,
  passedMs: number,
): number | undefined {
  const most = times ?? (forMs === undefined ? pauses.length : Infinity);
  if (failures > most || passedMs > (forMs ?? Infinity)) return undefined;
  const pause = pauses[failures - 1] ?? pauses.at(-1) ?? 0;
  return jitter ? pause * (0.5 + Math.random()) : pause;
}
