import { computed } from '@preact/signals';
import type { Notification } from '../../../src/schema/notification.ts';
import { hrefOfInbox } from '../route.ts';
import { notifications, open } from '../state/ledger.ts';
import { route } from '../state/location.ts';
import { tasksOf } from '../state/tasks.ts';
import { filter, fits } from './filter.ts';
import { byUrgency } from './urgency.ts';

export const selected = computed((): Notification | undefined => {
  const { value } = route;
  if (value.page !== 'inbox' || value.notification === undefined) return undefined;
  return notifications.value.get(value.notification);
});

/** The selected one when it is settled: it stays in the list, where it was, as long as it is looked at. */
const settled = computed(() => (selected.value?.status === 'open' ? undefined : selected.value));

/** Apart from the filter: who types into it waits for no sorting. */
const ranked = computed(() => byUrgency([...open.value, ...(settled.value ? [settled.value] : [])], tasksOf));

/** What the list shows: what waits, most urgent first, and the settled one that is looked at. */
export const listed = computed(() => ranked.value.filter(fits.value));

/** Those of the list that are open. */
export const waiting = computed(() => listed.value.filter(({ status }) => status === 'open'));

export const hrefOfNotification = ({ projectId, id }: Notification): string =>
  hrefOfInbox(filter.value, projectId, id);

/** The one `step` places after the selected one; from one that is settled, the most urgent that is open. */
export function neighbour(step: 1 | -1): Notification | undefined {
  const list = waiting.value;
  const at = list.findIndex(({ id }) => id === selected.value?.id);
  if (at < 0) return list[0];
  return list[Math.min(list.length - 1, Math.max(0, at + step))];
}
