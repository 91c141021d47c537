import type { Ledger } from '../ledger/ledger.ts';
import type { Notification } from '../schema/notification.ts';

/** Everything that is open in a project, oldest first. */
export async function openIn(ledger: Ledger, projectId: string): Promise<Notification[]> {
  const rows: Notification[] = [];
  let after: string | undefined;
  do {
    const page = await ledger.notifications.list({ projectId, status: ['open'], limit: 1000, after });
    rows.push(...page.notifications);
    after = page.next;
  } while (after !== undefined);
  return rows;
}

/** Open notifications first, then new ones, each in its current state, until the signal. */
export async function* asked(
  ledger: Ledger,
  projectId: string,
  concerns: (notification: Notification) => boolean,
  signal: AbortSignal,
): AsyncGenerator<Notification> {
  for await (const id of askedIds(ledger, projectId, signal)) {
    const notification = await ledger.notifications.get(projectId, id);
    if (notification.status === 'open' && concerns(notification)) yield notification;
  }
}

async function* askedIds(ledger: Ledger, projectId: string, signal: AbortSignal): AsyncGenerator<string> {
  const { lastEvent } = await ledger.projects.get(projectId);
  const before = new Set((await openIn(ledger, projectId)).map(({ id }) => id));
  for (const id of before) {
    if (signal.aborted) return;
    yield id;
  }
  for await (const { type, data } of ledger.events.watch(projectId, lastEvent, signal)) {
    if (type !== 'notification.added') continue;
    const { id } = data.notification;
    if (!before.has(id)) yield id;
  }
}
