import { allRows } from '../ledger/all-rows.ts';
import { writeCursor } from '../ledger/cursor.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Notification } from '../schema/notification.ts';

/** Everything that is open in a project, oldest first. */
export function openIn(ledger: Ledger, projectId: string): Promise<Notification[]> {
  return allRows<Notification>(async (limit, last) => {
    const after = last && writeCursor(last.createdAt, last.id);
    return (await ledger.notifications.list({ projectId, status: ['open'], limit, after })).notifications;
  });
}

/** What waits already, then what is asked from now on, each as it is now, until the signal. */
export async function* asked(
  ledger: Ledger,
  projectId: string,
  concerns: (notification: Notification) => boolean,
  signal: AbortSignal,
): AsyncGenerator<Notification> {
  const { lastEvent } = await ledger.projects.get(projectId);
  const before = await openIn(ledger, projectId);
  const isTold = new Set(before.map(({ id }) => id));
  for (const { id } of before) {
    if (signal.aborted) return;
    const notification = await ledger.notifications.get(projectId, id);
    if (isOpen(notification) && concerns(notification)) yield notification;
  }
  for await (const { type, data } of ledger.events.watch(projectId, lastEvent, signal)) {
    if (type !== 'notification.added') continue;
    const { id } = data.notification as Notification;
    if (isTold.has(id)) continue;
    const notification = await ledger.notifications.get(projectId, id);
    if (isOpen(notification) && concerns(notification)) yield notification;
  }
}

const isOpen = ({ status }: Notification) => status === 'open';
