import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAway, isStalePlan } from './store-error.ts';

/** How long a caller waits for a server that is away. */
export interface Patience {
  ms: number;
  /** Told in one sentence when the server goes away, and in another when it is back. */
  tell?(sentence: string): void;
  /** Ends the waiting: whoever waits then is refused. */
  signal?: AbortSignal;
}

/** Between two looks at a server that is away. */
const LOOK_MS = { first: 100, longest: 2000 };
/** A server that answers, and yet fails every time, is not away. */
const MOST_TRIES = 20;

/**
 * Knows whether the server answers. Whoever fails says so, and waits for one probe that looks for all. A connection that
 * was only cut is nobody's business: the first look finds the server, and nothing is told.
 */
export function watchAvailability(server: {
  /** Throws where the server does not answer. */
  probe(): Promise<void>;
  /** The server answers again: what was sent before may never be answered. */
  onBack(): void;
  patience: Patience;
}) {
  const { patience } = server;
  const over = new AbortController();
  const ended = AbortSignal.any([over.signal, ...(patience.signal ? [patience.signal] : [])]);
  let away: { since: number; error: unknown } | undefined;
  let looking: Promise<void> | undefined;

  const look = async () => {
    for (let pause = LOOK_MS.first; ; pause = Math.min(pause * 2, LOOK_MS.longest)) {
      const error = await failureOf(server.probe());
      if (error === undefined) return found();
      if (!isAway(error)) throw error;
      if (!away) {
        away = { since: performance.now(), error };
        patience.tell?.(`The store is unavailable; waiting for it … (${(error as Error).message})`);
      }
      ended.throwIfAborted();
      await sleep(pause, undefined, { signal: ended });
    }
  };
  const found = () => {
    if (!away) return;
    const seconds = Math.max(1, Math.round((performance.now() - away.since) / 1000));
    away = undefined;
    patience.tell?.(`The store is available again after ${seconds} s.`);
    server.onBack();
  };
  /** Looks until the server answers. */
  const check = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    looking.catch(ignore); // those who wait hear of it
    return looking;
  };

  /** Resolves when the server answers; throws `error` after `ms`, or where the waiting was ended. */
  async function untilBack(error: unknown, ms: number): Promise<void> {
    if (ms <= 0 || ended.aborted) throw error;
    const alarm = new AbortController();
    const tooLate = sleep(ms, undefined, { signal: alarm.signal }).then(() => {
      throw error;
    });
    try {
      await Promise.race([check(), tooLate]);
    } catch (failure) {
      throw ended.aborted ? error : failure;
    } finally {
      tooLate.catch(ignore);
      alarm.abort();
    }
  }

  /** After `tries` that failed: true when it is worth another one, because the server was away and is back. */
  async function isBack(error: unknown, tries: number, ms = patience.ms): Promise<boolean> {
    if (tries > MOST_TRIES) return false;
    if (isStalePlan(error)) return true; // the connection is gone, and the next one prepares its statements again
    if (!isAway(error)) return false;
    try {
      await untilBack(error, ms);
    } catch {
      return false;
    }
    await sleep(Math.min(10 * 2 ** tries, LOOK_MS.longest));
    return true;
  }

  /** Runs `attempt` until it gets through to the server; each outage may last `ms`. */
  async function patiently<T>(attempt: () => Promise<T>, ms = patience.ms): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(await isBack(error, tries, ms))) throw error;
      }
    }
  }

  return {
    patiently,
    isBack,
    /** Something takes long: a server that is away should be known as such. */
    suspect: () => void check(),
    stop: () => over.abort(),
  };
}

export type Availability = ReturnType<typeof watchAvailability>;

async function failureOf(attempt: Promise<unknown>): Promise<unknown> {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    return error;
  }
}

const ignore = () => undefined;
