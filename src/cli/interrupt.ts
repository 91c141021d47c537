const first = new AbortController();

/** Aborted when the person wants the program to end, which also stops waiting for an unavailable store. */
export const interruption = first.signal;

export const interrupted = () => first.abort();

/**
 * Runs `work` with a signal that aborts at Ctrl-C or SIGTERM, so that it can close what it opened. A second Ctrl-C ends
 * the program at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => {
    controller.abort();
    interrupted();
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
