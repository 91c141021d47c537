import type { By } from '../../schema/actor.ts';
import type { Notification } from '../../schema/notification.ts';
import { crashPoint } from '../crash-point.ts';
import type { Ledger } from '../ledger.ts';

/**
 * Gives a settled notification to the one that asked, and marks it delivered only then: after a crash in
 * between it is given again rather than lost. `give` may resolve to false: the asker is gone, nothing was delivered.
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
