import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { FermataError } from '../../schema/error.ts';

const flushBeside = promisify(fdatasync);

/** A disk that was as quick as this so many times in a row is waited for in place: to have another thread wait costs more. */
const QUICK_MS = 1;
const IN_A_ROW = 10;

/**
 * Puts what was committed on disk without holding up the event loop for long: SQLite itself would wait for the disk
 * inside the commit, however slow that is. Calls that come while a flush is under way share the next one.
 */
export function walFlush(path: string) {
  let file: number | undefined;
  let quick = 0;
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
      if (quick >= IN_A_ROW) fdatasyncSync(file);
      else await flushBeside(file);
      quick = performance.now() - start < QUICK_MS ? quick + 1 : 0;
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
