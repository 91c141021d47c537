import { computed } from '@preact/signals';
import { type AskerKind, askerKinds } from '../../../src/schema/asker.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { notificationTest, notificationWords } from '../../../src/schema/notification-filter.ts';
import { EVERYTHING, type Filter, hrefOfInbox } from '../route.ts';
import { nameOf, open } from '../state/ledger.ts';
import { replaceAddressSoon, route } from '../state/location.ts';

/** As one string, so that moving between questions does not filter the list again. */
const text = computed(() => JSON.stringify(route.value.page === 'inbox' ? route.value.filter : EVERYTHING));

/** The filter in the address. */
export const filter = computed(() => JSON.parse(text.value) as Filter);

export const isFiltering = computed(() => Object.values(filter.value).some((value) => value.trim() !== ''));

/** Whether the filter matches it. */
export const fits = computed((): ((notification: Notification) => boolean) => {
  const { text, project, kind } = filter.value;
  const test = notificationTest({ text, kind: kindNamed(kind) }, wordsOf);
  return (notification) => (project === '' || notification.projectId === project) && test(notification);
});

/** Cached, because it is searched with every keystroke. */
const known = new WeakMap<Notification, string>();

function wordsOf(notification: Notification): string {
  const words = known.get(notification) ?? notificationWords(notification, nameOf(notification.projectId));
  known.set(notification, words);
  return words;
}

/** Prepares the search before the first keystroke. */
export const prepareFilter = (): void => open.peek().forEach(wordsOf);

/** Changes part of the filter. What is shown next to the list stays. */
export function setFilter(change: Partial<Filter>): void {
  const { value } = route;
  const parts = value.page === 'inbox' && value.project && value.notification;
  const shown = parts ? [value.project ?? '', value.notification ?? ''] : [];
  replaceAddressSoon(hrefOfInbox({ ...filter.value, ...change }, ...shown));
}

export const clearFilter = (): void => setFilter(EVERYTHING);

/** Undefined if there is no such kind. */
export const kindNamed = (name: string): AskerKind | undefined => askerKinds.find((kind) => kind === name);
