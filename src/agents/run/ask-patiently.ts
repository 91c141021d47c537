import { setTimeout as sleep } from 'node:timers/promises';
import type { Created, NotificationService } from '../../ledger/notifications/notification-service.ts';
import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import type { CreateInput } from '../../schema/notification.ts';

/**
 * Asks on behalf of an agent that Fermata runs. An agent that asks too fast waits for its turn, so no question is lost.
 * Undefined after an abort.
 */
export async function askPatiently(
  notifications: NotificationService,
  asked: CreateInput,
  by: By,
  signal: AbortSignal,
): Promise<Created | undefined> {
  while (!signal.aborted) {
    try {
      return await notifications.create(asked, by);
    } catch (error) {
      const wait = retryAfter(error);
      if (wait === undefined) throw error;
      await sleep(wait * 1000, undefined, { signal }).catch(() => undefined);
    }
  }
  return undefined;
}

function retryAfter(error: unknown): number | undefined {
  if (!(error instanceof FermataError) || error.code !== 'rate_limited') return undefined;
  return (error.details as { retryAfter: number }).retryAfter;
}
