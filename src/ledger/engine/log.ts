import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { FermataError } from '../../schema/error.ts';

/**
 * The log of a ledger's file. Flushes commits to disk without blocking the event loop: SQLite itself would wait for the
 * disk inside the commit, however slow that is. Calls during a flush share the next one.
 *
 * A later flush may succeed although the data of a failed one never reached the disk, because the system forgets what it
 * could not write. So after a failure, nothing is confirmed until `replace` has put the content elsewhere.
 */
export function openLog(path: string) {
  const file = openSync(`${path}-wal`, 'r+');
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let failure: FermataError | undefined;

  /** Resolves when everything committed before the call is on disk. */
  function flush(): Promise<void> {
    if (failure) return Promise.reject(failure);
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
      await promisify(fdatasync)(file);
    } catch (cause) {
      const message = `The ledger at ${path} could not be flushed to disk (${(cause as Error).message}). The latest writes may be lost. Check the disk, then try again.`;
      failure = new FermataError('unavailable', message, { cause });
      throw failure;
    }
  }

  return {
    file,
    flush,
    isLost: () => failure !== undefined,
    /** `copy` returns whether nothing depends on the log any more; otherwise the failure is thrown again. */
    async replace(copy: () => Promise<boolean>): Promise<void> {
      const copied = await copy();
      if (!copied && failure) throw failure;
      failure = undefined;
    },
    close: () => closeSync(file),
  };
}
