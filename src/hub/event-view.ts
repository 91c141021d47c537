import type { Event } from '../schema/event.ts';

/** An event as the API gives it: a task's reason also under the name that older programs look for. */
export function eventView(event: Event): Event {
  if (event.type !== 'task.updated' || event.data.blockReason === undefined) return event;
  return { ...event, data: { ...event.data, block_reason: event.data.blockReason } };
}
