import { computed, signal } from '@preact/signals';
import type { Notification } from '../../../src/schema/notification.ts';
import type { ListedProject } from '../../../src/schema/project.ts';
import type { Cursor } from '../api/request.ts';
import { isOlder } from './is-older.ts';

const KEPT_MS = 3_600_000;

export const projects = signal<readonly ListedProject[]>([]);
/** By id: open notifications, and those settled while this page was open. */
export const notifications = signal<ReadonlyMap<string, Notification>>(new Map());
/** Where the list of open ones continues. */
export const nextPage = signal<Cursor | undefined>(undefined);
/** Whether there are more open ones than are loaded. */
export const more = computed(() => nextPage.value !== undefined);
/** False until the first read. */
export const loaded = signal(false);
/** False until it is known which of them is the most urgent. */
export const ordered = signal(false);
export const problem = signal<string | undefined>(undefined);

export const open = computed(() =>
  [...notifications.value.values()].filter(({ status }) => status === 'open'),
);

/** How many are open, for a badge: "3", or "5000+" if not all are loaded. */
export const waitingCount = computed(() => `${open.value.length}${more.value ? '+' : ''}`);

export const nameOf = (projectId: string): string =>
  projects.value.find(({ id }) => id === projectId)?.name ?? projectId;

/** Ids of notifications that are not new: they existed before and are only read now. */
const readLater = new Set<string>();
export const isNew = ({ id }: Notification): boolean => !readLater.has(id);

/** Adds rows that existed before. */
export function putOld(rows: readonly Notification[]): void {
  for (const { id } of rows) readLater.add(id);
  put(rows);
}

/** Adds rows, except those that are older than what is known: a delayed response never undoes an answer or its delivery. */
export function put(rows: readonly Notification[]): void {
  const next = new Map(notifications.peek());
  for (const row of rows) {
    const known = next.get(row.id);
    if (!known || !isOlder(row, known)) next.set(row.id, row);
  }
  notifications.value = next;
}

export function drop(rows: readonly Notification[]): void {
  const next = new Map(notifications.peek());
  for (const { id } of rows) next.delete(id);
  notifications.value = next;
}

/** A page stays open for weeks, so this drops what was settled long ago. */
export function dropOld(): void {
  const limit = new Date(Date.now() - KEPT_MS).toISOString();
  const kept = [...notifications.peek()].filter(
    ([, { status, resolvedAt }]) => status === 'open' || (resolvedAt ?? '') > limit,
  );
  notifications.value = new Map(kept);
}

/** The next person to sign in may be somebody else. */
export function forget(): void {
  projects.value = [];
  notifications.value = new Map();
  nextPage.value = undefined;
  readLater.clear();
  loaded.value = false;
}
