import { DatabaseSync } from '@photostructure/sqlite';
import { retry, schedules } from '../../files/retry.ts';
import { FermataError } from '../../schema/error.ts';
import { storeError } from './store-error.ts';

/**
 * Runs `work` while nobody else, in this process or another, does so with the same file. The lock belongs to the
 * operating system and is held by an empty database, so it ends with the process, however that ends. The signal ends the
 * waiting.
 */
export async function exclusively<T>(path: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const lock = opened(path);
  try {
    await take(lock, path, signal);
    return await work();
  } finally {
    lock.close();
  }
}

function opened(path: string): InstanceType<typeof DatabaseSync> {
  try {
    return new DatabaseSync(path);
  } catch (cause) {
    throw new FermataError('unavailable', `Cannot lock ${path}: ${(cause as Error).message}.`, { cause });
  }
}

async function take(
  lock: InstanceType<typeof DatabaseSync>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const begin = () => {
    signal?.throwIfAborted();
    try {
      lock.exec('begin exclusive');
    } catch (error) {
      throw storeError(error, path);
    }
  };
  try {
    await retry(schedules.lockFile, ({ error }) => isBusy(error), begin, { signal });
  } catch (cause) {
    signal?.throwIfAborted();
    if (!isBusy(cause)) throw cause;
    const message = `Gave up after two minutes, because another Fermata process has locked ${path}. Try again when it is done.`;
    throw new FermataError('busy', message, { cause, details: { lock: path } });
  }
}

const isBusy = (error: unknown) => error instanceof FermataError && error.code === 'busy';
