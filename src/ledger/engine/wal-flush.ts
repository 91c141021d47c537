import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { FermataError } from '../../schema/error.ts';

/**
 * Flushes commits to disk without blocking the event loop: SQLite itself would wait for the disk inside the commit,
 * however slow that is. Calls during a flush share the next one.
 */
export function walFlush(path: string) {
  let file: number | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  /** Resolves when everything committed before the call is on disk. */
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
      await promisify(fdatasync)(file);
    } catch (cause) {
      const message = `The ledger at ${path} could not be flushed to disk (${(cause as Error).message}). The latest writes may be lost. Check the disk, then try again.`;
      throw new FermataError('unavailable', message, { cause });
    }
  }

  function close(): void {
    if (file !== undefined) closeSync(file);
  }

  return { flush, close };
}
