import type { By } from '../../schema/actor.ts';
import type { Notification } from '../../schema/notification.ts';
import { crashPoint } from '../crash-point.ts';
import type { Ledger } from '../ledger.ts';

/**
 * Gives a settled notification to its asker, and only then marks it delivered: after a crash in between, it is given
 * again rather than lost. `give` may resolve to false if the asker is gone and nothing was delivered.
 */
export async function handOver(
  ledger: Ledger,
  notification: Notification,
  give: (notification: Notification) => Promise<unknown>,
  by: By,
): Promise<void> {
  crashPoint('deliver.before');
  if ((await give(notification)) === false) return;
  crashPoint('deliver.after');
  await ledger.notifications.markDelivered(notification.projectId, notification.id, by);
}
