import { effect, signal } from '@preact/signals';
import type { Notification as Asked } from '../../../src/schema/notification.ts';
import { hrefOfNotification } from '../inbox/shown.ts';
import { titleOf } from '../text/words.ts';
import { isNew, loaded, nameOf, open, waitingCount } from './ledger.ts';
import { go } from './location.ts';

const FRESH_MS = 4000;

/** Ids of what just arrived: the only thing on the page that moves. */
export const arrivals = signal<ReadonlySet<string>>(new Set());

export type Permission = 'default' | 'granted' | 'denied' | 'unsupported';
export const permission = signal<Permission>(
  'Notification' in window ? Notification.permission : 'unsupported',
);

/** Only on a click, because browsers refuse a page that asks by itself. */
export async function allowAlerts(): Promise<void> {
  permission.value = await Notification.requestPermission();
}

/** Keeps the number of open questions in the title, and announces new ones. */
export function startArrivals(): void {
  let known: Set<string> | undefined;
  effect(() => {
    const items = open.value;
    document.title = items.length > 0 ? `(${waitingCount.value}) Fermata` : 'Fermata';
    if (!loaded.value) return;
    const fresh = known ? items.filter((item) => !known?.has(item.id) && isNew(item)) : [];
    known = new Set([...(known ?? []), ...items.map(({ id }) => id)]);
    if (fresh.length > 0) arrive(fresh);
    closeSettled(new Set(items.map(({ id }) => id)));
  });
}

/** The browser notifications shown now, by id. */
const shownOutside = new Map<string, Notification>();

/** Closes those that were answered elsewhere. */
function closeSettled(open: ReadonlySet<string>): void {
  for (const [id, shown] of shownOutside) {
    if (open.has(id)) continue;
    shown.close();
    shownOutside.delete(id);
  }
}

function arrive(fresh: readonly Asked[]): void {
  const ids = fresh.map(({ id }) => id);
  arrivals.value = new Set([...arrivals.peek(), ...ids]);
  setTimeout(() => {
    arrivals.value = new Set([...arrivals.peek()].filter((id) => !ids.includes(id)));
  }, FRESH_MS);
  if (permission.peek() !== 'granted' || document.visibilityState === 'visible') return;
  for (const notification of fresh.slice(0, 3)) tell(notification);
}

function tell(notification: Asked): void {
  const shown = new Notification(nameOf(notification.projectId), {
    body: titleOf(notification),
    tag: notification.id,
  });
  shownOutside.set(notification.id, shown);
  shown.onclick = () => {
    window.focus();
    go(hrefOfNotification(notification));
    shown.close();
  };
}
