import type { Event } from '../../../src/schema/event.ts';
import type { Notification } from '../../../src/schema/notification.ts';

/** What a run asked, and until when it waited, from its events. */
export function questionsOf(
  runId: string,
  events: readonly Event[],
): { createdAt: string; resolvedAt?: string }[] {
  const asked = new Map<string, { createdAt: string; resolvedAt?: string }>();
  for (const { type, at, data } of events) {
    if (type === 'notification.added') {
      const { id, resume, status } = data.notification as Notification;
      if (resume?.run === runId && status === 'open') asked.set(id, { createdAt: at });
    }
    const known = type === 'notification.resolved' ? asked.get(String(data.id)) : undefined;
    if (known) known.resolvedAt = at;
  }
  return [...asked.values()];
}
