import { closeSync, fdatasync, openSync } from 'node:fs';
import { FermataError } from '../../schema/error.ts';

/**
 * Puts what was committed on disk without holding up the event loop: SQLite itself would wait for the disk inside the
 * commit. Calls that come while a flush is under way share the next one.
 */
export function walFlush(path: string) {
  let file: number | undefined;
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

  function sync(): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      file ??= openSync(`${path}-wal`, 'r+');
      fdatasync(file, (error) => (error ? reject(error) : resolve()));
    }).catch((cause: Error) => {
      const message = `The ledger at ${path} could not be put on disk (${cause.message}). What was stored last is not safe there: look at the disk, then try again.`;
      throw new FermataError('unavailable', message, { cause });
    });
  }

  function close(): void {
    if (file !== undefined) closeSync(file);
  }

  return { flush, close };
}
