import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { isStalePlan, isUnreachable } from './store-error.ts';

/** How long a caller waits for an unavailable server. */
export interface Patience {
  ms: number;
  /** Called with a sentence when the server becomes unavailable, and with another when it is back. */
  tell?(sentence: string): void;
  /** Ends the waiting: waiting callers fail. */
  signal?: AbortSignal;
}

/** The pause between two probes of an unavailable server. */
const LOOK_MS = { first: 100, longest: 2000 };
/** A server that answers but fails every time is not unavailable. */
const MAX_TRIES = 20;

/**
 * Tracks whether the server answers. A caller that fails waits for one shared probe. If only a connection was cut, the
 * first probe succeeds and nothing is reported.
 */
export function watchAvailability(server: {
  /** Throws if the server does not answer. */
  probe(): Promise<void>;
  /** The server answers again; requests sent before may never get a response. */
  onReconnect(): void;
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
      if (!isUnreachable(error)) throw error;
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
    server.onReconnect();
  };
  /** Probes until the server answers. */
  const check = () => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    looking.catch(ignore); // the waiting callers get the error
    return looking;
  };

  /** Resolves when the server answers; throws `error` after `ms`, or when the waiting is ended. */
  async function untilReachable(error: unknown, ms: number): Promise<void> {
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

  /** After `tries` failed attempts: true if another is worthwhile, because the server was unavailable and is back. */
  async function canRetry(error: unknown, tries: number, ms = patience.ms): Promise<boolean> {
    if (tries > MAX_TRIES) return false;
    if (isStalePlan(error)) return true; // the connection is gone, and the next one prepares its statements again
    if (!isUnreachable(error)) return false;
    try {
      await untilReachable(error, ms);
    } catch {
      return false;
    }
    await sleep(Math.min(10 * 2 ** tries, LOOK_MS.longest));
    return true;
  }

  /** Runs `attempt` until it reaches the server; each outage may last `ms`. */
  async function patiently<T>(attempt: () => Promise<T>, ms = patience.ms): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(await canRetry(error, tries, ms))) throw error;
      }
    }
  }

  return {
    patiently,
    canRetry,
    /** Something takes long, so check whether the server is available. */
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
