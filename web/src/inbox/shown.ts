import { computed } from '@preact/signals';
import type { Notification } from '../../../src/schema/notification.ts';
import { hrefOf } from '../route.ts';
import { notifications, open } from '../state/ledger.ts';
import { route } from '../state/location.ts';
import { tasksByProject } from '../state/tasks.ts';
import { byUrgency } from './urgency.ts';

/** What waits, most urgent first. */
export const waiting = computed(() =>
  byUrgency(open.value, (projectId) => tasksByProject.value[projectId] ?? []),
);

export const selected = computed((): Notification | undefined => {
  const { value } = route;
  if (value.page !== 'inbox' || value.notification === undefined) return undefined;
  return notifications.value.get(value.notification);
});

export const hrefOfNotification = ({ projectId, id }: Notification): string => hrefOf('inbox', projectId, id);

/** The one `step` places after the selected one; from one that is settled, the most urgent that is open. */
export function neighbour(step: 1 | -1): Notification | undefined {
  const list = waiting.value;
  const at = list.findIndex(({ id }) => id === selected.value?.id);
  if (at < 0) return list[0];
  return list[Math.min(list.length - 1, Math.max(0, at + step))];
}
