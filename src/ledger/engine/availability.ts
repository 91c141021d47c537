import { setTimeout as sleep } from 'node:timers/promises';
import { retry, schedules } from '../../files/retry.ts';
import { isStalePlan, isStoreUnreachable } from './store-error.ts';

/** How long a caller waits for an unavailable server. */
export interface Patience {
  ms: number;
  /** Called with a sentence when the server becomes unavailable, and with another when it is back. */
  tell?(sentence: string): void;
  /** Ends the waiting: waiting callers fail. */
  signal?: AbortSignal;
}

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
  let awaySince: number | undefined;
  let probing: Promise<void> | undefined;

  /** Probes until the server answers. */
  const probe = async () => {
    await retry(schedules.storeOutage, ({ error }) => isStoreUnreachable(error), server.probe, {
      signal: ended,
      onRetry({ error }) {
        if (awaySince === undefined)
          patience.tell?.(`The store is unavailable; waiting for it … (${(error as Error).message})`);
        awaySince ??= performance.now();
      },
    });
    if (awaySince === undefined) return;
    const seconds = Math.max(1, Math.round((performance.now() - awaySince) / 1000));
    awaySince = undefined;
    patience.tell?.(`The store is available again after ${seconds} s.`);
    server.onReconnect();
  };
  const check = () => {
    probing ??= probe().finally(() => {
      probing = undefined;
    });
    probing.catch(ignore); // the waiting callers get the error
    return probing;
  };

  /** Whether the server answers within `ms`, unless the waiting is ended. */
  async function isBack(ms: number): Promise<boolean> {
    if (ms <= 0 || ended.aborted) return false;
    const alarm = new AbortController();
    const tooLate = sleep(ms, false, { signal: alarm.signal });
    tooLate.catch(ignore);
    try {
      return await Promise.race([check().then(() => true), tooLate]);
    } catch {
      return false; // the caller reports its own error
    } finally {
      alarm.abort();
    }
  }

  /** Runs `attempt` until it reaches the server; each outage may last `ms`. */
  const patiently = <T>(attempt: () => Promise<T>, ms = patience.ms): Promise<T> =>
    retry(
      schedules.afterOutage,
      // After a change of a table, the connection is gone, and the next one prepares its statements again.
      ({ error }) => (isStalePlan(error) ? 0 : isStoreUnreachable(error) && isBack(ms)),
      attempt,
    );

  return {
    patiently,
    /** Something takes long, so check whether the server is available. */
    suspect: () => void check(),
    stop: () => over.abort(),
  };
}

export type Availability = ReturnType<typeof watchAvailability>;

const ignore = () => undefined;
