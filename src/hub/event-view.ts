import type { Event } from '../schema/event.ts';

/** An event as the API returns it: a task's reason also has the name that older programs expect. */
export function eventView(event: Event): Event {
  if (event.type !== 'task.updated' || event.data.blockReason === undefined) return event;
  return { ...event, data: { ...event.data, block_reason: event.data.blockReason } };
}
