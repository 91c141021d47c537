import type { By } from '../../schema/actor.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Ledger } from '../ledger.ts';
import type { Holder } from '../runs/require-holder.ts';

/** Withdraws a question for its asker, or for the holder of its run. An answer that came at the same moment stays. */
export async function withdrawUnanswered(
  { notifications }: Ledger,
  { projectId, id }: Pick<Notification, 'projectId' | 'id'>,
  reason: string,
  by: By,
  holder?: Holder,
): Promise<void> {
  try {
    await notifications.withdraw(projectId, id, reason, by, holder);
    await notifications.markDelivered(projectId, id, by);
  } catch (error) {
    if (!(error instanceof FermataError) || error.code !== 'conflict') throw error;
  }
}
