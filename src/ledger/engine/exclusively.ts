import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { FermataError } from '../../schema/error.ts';
import { storeError } from './store-error.ts';

/** How long to wait for other holders. */
const PATIENCE_MS = 120_000;

/**
 * Runs `work` while nobody else, in this process or another, does so with the same file. The lock belongs to the
 * operating system and is held by an empty database, so it ends with the process, however that ends. The signal ends the
 * waiting.
 */
export async function exclusively<T>(path: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const lock = new DatabaseSync(path);
  try {
    await take(lock, path, signal);
    return await work();
  } finally {
    lock.close();
  }
}

async function take(
  lock: InstanceType<typeof DatabaseSync>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(25)) {
    signal?.throwIfAborted();
    try {
      lock.exec('begin exclusive');
      return;
    } catch (cause) {
      const error = storeError(cause, path);
      if (!(error instanceof FermataError) || error.code !== 'busy') throw error;
      if (Date.now() < until) continue;
      throw new FermataError(
        'busy',
        `Gave up after two minutes, because another Fermata process has locked ${path}. Try again when it is done.`,
        {
          cause,
          details: { lock: path },
        },
      );
    }
  }
}
