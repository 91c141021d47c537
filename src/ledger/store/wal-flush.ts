import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { FermataError } from '../../schema/error.ts';

/** A disk that is as quick as this is waited for in place: to have another thread wait costs more. */
const QUICK_MS = 0.4;

/**
 * Puts what was committed on disk without holding up the event loop for long: SQLite itself would wait for the disk
 * inside the commit, however slow that is. Calls that come while a flush is under way share the next one.
 */
export function walFlush(path: string) {
  let file: number | undefined;
  let lastMs = Number.POSITIVE_INFINITY;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  /** Resolves when everything that was committed before the call is on disk. */
  function flush(): Promise<void> {
    if (!running) {
      running = sync().finally(() => {
        running = undefined;
      });
      return running;
    }
    const again = () => {
      next = undefined;
      return flush();
    };
    next ??= running.then(again, again);
    return next;
  }

  async function sync(): Promise<void> {
    try {
      file ??= openSync(`${path}-wal`, 'r+');
      const start = performance.now();
      if (lastMs < QUICK_MS) fdatasyncSync(file);
      else await promisify(fdatasync)(file);
      lastMs = performance.now() - start;
    } catch (cause) {
      const message = `The ledger at ${path} could not be put on disk (${(cause as Error).message}). What was stored last is not safe there: look at the disk, then try again.`;
      throw new FermataError('unavailable', message, { cause });
    }
  }

  function close(): void {
    if (file !== undefined) closeSync(file);
  }

  return { flush, close };
}
