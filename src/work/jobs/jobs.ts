import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../../ledger/ledger.ts';

/** Something that a hub or worker does by itself. What has to be done is in the ledger, so any of them can do it. */
export interface Job {
  /** Due by time only, not by a change in the ledger. */
  byTime?: true;
  /** Does what is due, and returns when to check again (milliseconds since 1970); undefined: at the next change. */
  turn(): Promise<number | undefined>;
}

/** Runs the jobs in this process, from the ledger's tables. */
export interface Jobs {
  /** Resolves when the current turns have ended. */
  stop(): Promise<void>;
}

/** The pause between two turns, however much changes. */
const PAUSE_MS = 200;
const MAX_MS = 60_000;
/** The pause after a failed turn, because the store was unavailable. */
const AGAIN_MS = 5000;

export function startJobs(ledger: Ledger, jobs: Job[], report: (error: unknown) => void): Jobs {
  const ending = new AbortController();
  const { signal } = ending;
  const posts = jobs.map((job) => ({ job, wake: new InterruptibleSleep() }));
  const ringAll = () => {
    for (const { wake } of posts) wake.ring();
  };
  const listen = async () => {
    for await (const _ of ledger.events.changes(signal)) {
      for (const { job, wake } of posts) if (!job.byTime) wake.ring();
    }
  };
  const work = async ({ job, wake }: { job: Job; wake: InterruptibleSleep }) => {
    while (!signal.aborted) {
      wake.reset();
      const next = await job.turn().catch((error: unknown) => {
        report(error);
        return Date.now() + AGAIN_MS;
      });
      if (!signal.aborted) await pause(signal);
      if (!signal.aborted) await wake.sleep(untilThen(next));
    }
  };
  const running = Promise.all([listen(), ...posts.map(work)]);
  return {
    async stop() {
      ending.abort();
      ringAll();
      await running;
    },
  };
}

const untilThen = (time: number | undefined) =>
  time === undefined ? MAX_MS : Math.min(Math.max(time - Date.now(), 0), MAX_MS);

async function pause(signal: AbortSignal): Promise<void> {
  // It fails only because of the signal, which ends it early.
  await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
}

/** Wakes one sleeper. A ring while nobody sleeps ends the next sleep at once. */
class InterruptibleSleep {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Forgets earlier rings. */
  reset(): void {
    this.#rung = false;
  }

  /** Sleeps until the next ring, for at most `ms`. */
  async sleep(ms: number): Promise<void> {
    if (this.#rung) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
