import { retry, schedules } from '../../files/retry.ts';
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
  if (signal.aborted) return undefined;
  try {
    return await retry(
      schedules.asLongAsItSays,
      ({ error }) => isTooFast(error) && (error.details as { retryAfter: number }).retryAfter * 1000,
      () => notifications.create(asked, by),
      { signal },
    );
  } catch (error) {
    if (isTooFast(error) && signal.aborted) return undefined;
    throw error;
  }
}

const isTooFast = (error: unknown): error is FermataError =>
  error instanceof FermataError && error.code === 'rate_limited';
