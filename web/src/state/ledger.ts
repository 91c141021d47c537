import { computed, signal } from '@preact/signals';
import type { Event } from '../../../src/schema/event.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import type { Project } from '../../../src/schema/project.ts';
import { messageOf } from '../api/error.ts';
import { hub, LIST_LIMIT } from '../api/hub.ts';
import type { Cursor } from '../api/request.ts';
import type { Filter } from '../route.ts';
import { onWake } from './clock.ts';
import { follow, onEvent, onReturn } from './live.ts';
import { leftOut, session } from './session.ts';
import { watchTasks } from './tasks.ts';

/** After so many hints in a moment one look at everything is cheaper. */
const MOST_LOOKS = 20;
const MOMENT_MS = 30;
const TRY_AGAIN_MS = 3000;
const MOST_PATIENCE_MS = 300;
const KEPT_MS = 3_600_000;
/** More than that nobody answers; a page can still sort them. */
const MOST_BY_ITSELF = 5000;

export const projects = signal<readonly Project[]>([]);
/** By id: what is open, and what was settled while this page was open. */
export const notifications = signal<ReadonlyMap<string, Notification>>(new Map());
/** Where the open ones go on that are not loaded yet. */
const nextPage = signal<Cursor | undefined>(undefined);
/** There are more open ones than are loaded. */
export const more = computed(() => nextPage.value !== undefined);
/** False until the first look. */
export const loaded = signal(false);
export const problem = signal<string | undefined>(undefined);

export const open = computed(() =>
  [...notifications.value.values()].filter(({ status }) => status === 'open'),
);

/** How many wait, for a badge: "3", or "1000+" where not all of them are loaded. */
export const waitingCount = computed(() => `${open.value.length}${more.value ? '+' : ''}`);

export const nameOf = (projectId: string): string =>
  projects.value.find(({ id }) => id === projectId)?.name ?? projectId;

/** Reads everything again. What disappeared from the open ones is looked up, so that it shows how it ended. */
export async function refresh(): Promise<void> {
  if (session.peek().state !== 'signed-in') return;
  try {
    // Before the notifications: what happens after this cursor reaches the socket, so that nothing falls between.
    projects.value = await hub.projects();
    follow(projects.value);
    const before = open.peek();
    // All at once: which is the most urgent is known only then, and nothing moves after it was drawn.
    const page = await hub.openNotifications(Math.max(MOST_BY_ITSELF, before.length));
    nextPage.value = page.next;
    dropOld();
    put(page.rows);
    const still = new Set(page.rows.map(({ id }) => id));
    // What is not loaded any more may still be open; it is looked at when a person does.
    const vanished = page.next === undefined ? before.filter(({ id }) => !still.has(id)) : [];
    drop(vanished.slice(MOST_LOOKS));
    await Promise.all(vanished.slice(0, MOST_LOOKS).map(({ projectId, id }) => readOne(projectId, id)));
    // With what each holds up, so that nothing moves after the first paint; but not at the price of a slow one.
    const tasks = watchTasks(new Set(page.rows.map(({ projectId }) => projectId)));
    await Promise.race([tasks, new Promise((resolve) => setTimeout(resolve, MOST_PATIENCE_MS))]);
    loaded.value = true;
    problem.value = undefined;
  } catch (error) {
    if (leftOut(error)) return;
    problem.value = messageOf(error);
    clearTimeout(retry);
    retry = setTimeout(() => void refresh(), TRY_AGAIN_MS);
  }
}

/** Reads on where the list ended. */
export async function loadMore(): Promise<void> {
  const page = await hub.openNotifications(LIST_LIMIT, nextPage.peek());
  nextPage.value = page.next;
  takeIn(page.rows);
}

/** Reads those of the open ones that a filter finds, for as long as they are wanted and a page can show them. */
export async function readMatching(filter: Filter, isWanted: () => boolean): Promise<void> {
  let next: Cursor | undefined;
  let found = 0;
  do {
    const page = await hub.findOpen(filter, next);
    takeIn(page.data);
    found += page.data.length;
    next = page.next;
  } while (next !== undefined && found < LIST_LIMIT && isWanted());
}

function takeIn(rows: readonly Notification[]): void {
  for (const { id } of rows) readLater.add(id);
  put(rows);
}

/** Ids of what is no news: it was there before, and is only read now. */
const readLater = new Set<string>();
export const isNews = ({ id }: Notification): boolean => !readLater.has(id);

let retry: ReturnType<typeof setTimeout> | undefined;

/** Who signs in next may be somebody else. */
export function forget(): void {
  projects.value = [];
  notifications.value = new Map();
  nextPage.value = undefined;
  readLater.clear();
  loaded.value = false;
}

/** A page is kept open for weeks: what was settled long ago is let go of. */
function dropOld(): void {
  const limit = new Date(Date.now() - KEPT_MS).toISOString();
  const kept = [...notifications.peek()].filter(
    ([, { status, resolvedAt }]) => status === 'open' || (resolvedAt ?? '') > limit,
  );
  notifications.value = new Map(kept);
}

function drop(rows: readonly Notification[]): void {
  const next = new Map(notifications.peek());
  for (const { id } of rows) next.delete(id);
  notifications.value = next;
}

export async function readOne(projectId: string, id: string): Promise<void> {
  put([await hub.notification(projectId, id)]);
}

/** Takes rows in. Their life goes only forward, so that an answer that was on its way longer never takes one back. */
export function put(rows: readonly Notification[]): void {
  const next = new Map(notifications.peek());
  for (const row of rows) {
    const known = next.get(row.id);
    const isOlder =
      known &&
      (known.responses.length > row.responses.length || (known.status !== 'open' && row.status === 'open'));
    if (!isOlder) next.set(row.id, row);
  }
  notifications.value = next;
}

export function startLedger(): void {
  onEvent(look);
  onReturn(() => void refresh());
  onWake(() => void refresh());
}

const hinted = new Map<string, string>();

function look({ type, projectId, data }: Event): void {
  const isNew = !projects.peek().some((known) => known.id === projectId);
  if (!type.startsWith('notification.') && !isNew) return;
  const id = (data.notification as { id?: string } | undefined)?.id ?? data.id;
  if (hinted.size === 0) setTimeout(() => void followHints(), MOMENT_MS);
  // A project that begins is found by looking at everything.
  hinted.set(isNew ? '' : String(id), projectId);
}

async function followHints(): Promise<void> {
  const hints = [...hinted];
  hinted.clear();
  if (hints.length > MOST_LOOKS || hints.some(([id]) => id === '')) return refresh();
  // A row that cannot be read now is read with all others when the line is back.
  await Promise.all(hints.map(([id, projectId]) => readOne(projectId, id).catch(leftOut)));
}
