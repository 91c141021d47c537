import { computed } from '@preact/signals';
import type { Notification } from '../../../src/schema/notification.ts';
import { byUrgency } from '../../../src/text/urgency.ts';
import { hrefOfInbox } from '../route.ts';
import { notifications, open } from '../state/ledger.ts';
import { route } from '../state/location.ts';
import { tasksOf } from '../state/tasks.ts';
import { filter, fits } from './filter.ts';

export const selected = computed((): Notification | undefined => {
  const { value } = route;
  if (value.page !== 'inbox' || value.notification === undefined) return undefined;
  return notifications.value.get(value.notification);
});

/** The selected notification once it is settled: it stays in its place in the list while it is selected. */
const settled = computed(() => (selected.value?.status === 'open' ? undefined : selected.value));

/** Computed apart from the filter, so that typing does not wait for sorting. */
const ranked = computed(() => byUrgency([...open.value, ...(settled.value ? [settled.value] : [])], tasksOf));

/** What the list shows: open notifications, most urgent first, and the selected settled one. */
export const listed = computed(() => ranked.value.filter(fits.value));

/** The open notifications in the list. */
export const waiting = computed(() => listed.value.filter(({ status }) => status === 'open'));

export const hrefOfNotification = ({ projectId, id }: Notification): string =>
  hrefOfInbox(filter.value, projectId, id);

/** The one `step` places after the selected one; from a settled one, the most urgent open one. */
export function neighbour(step: 1 | -1): Notification | undefined {
  const list = waiting.value;
  const at = list.findIndex(({ id }) => id === selected.value?.id);
  if (at < 0) return list[0];
  return list[Math.min(list.length - 1, Math.max(0, at + step))];
}
