import type { Event } from '../../../src/schema/event.ts';
import type { Notification } from '../../../src/schema/notification.ts';
import { messageOf } from '../api/error.ts';
import { hub, LIST_LIMIT } from '../api/hub.ts';
import type { Cursor } from '../api/request.ts';
import type { Filter } from '../route.ts';
import { onWake } from './clock.ts';
import { drop, dropOld, loaded, nextPage, open, ordered, problem, projects, put, putOld } from './ledger.ts';
import { follow, onEvent, onReturn } from './live.ts';
import { leftOut, session } from './session.ts';
import { watchTasks } from './tasks.ts';

/** After this many hints at once, reading everything is cheaper. */
const MAX_LOOKS = 20;
const MOMENT_MS = 30;
const TRY_AGAIN_MS = 3000;
const MAX_PATIENCE_MS = 300;
/** Without the tasks, the oldest question counts as the most urgent. */
const MAX_ORDER_MS = 5000;
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** Nobody answers more than this, and a page can still sort them. */
const MAX_AUTOMATIC = 5000;

let retry: ReturnType<typeof setTimeout> | undefined;

/** Reads everything again. Looks up what is no longer open, to show how it was settled. */
export async function refresh(): Promise<void> {
  if (session.peek().state !== 'signed-in') return;
  try {
    // Before the notifications: later events arrive through the socket, so that nothing is missed in between.
    projects.value = await hub.projects();
    follow(projects.value);
    const before = open.peek();
    // All at once, because only then is the most urgent one known, and nothing moves after it was rendered.
    const page = await hub.openNotifications(Math.max(MAX_AUTOMATIC, before.length));
    nextPage.value = page.next;
    dropOld();
    put(page.rows);
    const still = new Set(page.rows.map(({ id }) => id));
    // What is no longer loaded may still be open; it is read when a person opens it.
    await lookUp(page.next === undefined ? before.filter(({ id }) => !still.has(id)) : []);
    // Waits for the tasks that each one blocks, so that nothing moves after the first paint, unless that takes too
    // long.
    const tasks = watchTasks(new Set(page.rows.map(({ projectId }) => projectId)));
    await Promise.race([tasks, after(MAX_PATIENCE_MS)]);
    loaded.value = true;
    void Promise.race([tasks, after(MAX_ORDER_MS)]).then(() => {
      ordered.value = true;
    });
    problem.value = undefined;
  } catch (error) {
    if (leftOut(error)) return;
    problem.value = messageOf(error);
    clearTimeout(retry);
    retry = setTimeout(() => void refresh(), TRY_AGAIN_MS);
  }
}

/** How these were settled. If there are very many, or one cannot be read, only marks it as no longer open. */
async function lookUp(vanished: readonly Notification[]): Promise<void> {
  drop(vanished.slice(MAX_LOOKS));
  const looks = vanished.slice(0, MAX_LOOKS).map(async (row) => {
    try {
      await readOne(row.projectId, row.id);
    } catch (error) {
      if (!leftOut(error)) drop([row]);
    }
  });
  await Promise.all(looks);
}

export async function readOne(projectId: string, id: string): Promise<void> {
  put([await hub.notification(projectId, id)]);
}

/** Loads the next page of the list. */
export async function loadMore(): Promise<void> {
  const page = await hub.openNotifications(LIST_LIMIT, nextPage.peek());
  nextPage.value = page.next;
  putOld(page.rows);
}

/** Reads open notifications that match a filter, as long as they are wanted and a page can show them. */
export async function readMatching(filter: Filter, isWanted: () => boolean): Promise<void> {
  let next: Cursor | undefined;
  let found = 0;
  do {
    const page = await hub.findOpen(filter, next);
    putOld(page.data);
    found += page.data.length;
    next = page.next;
  } while (next !== undefined && found < LIST_LIMIT && isWanted());
}

export function startReading(): void {
  onEvent(look);
  onReturn(() => void refresh());
  onWake(() => void refresh());
}

const hinted = new Map<string, string>();

function look(event: Event): void {
  const { projectId } = event;
  const isNew = !projects.peek().some((known) => known.id === projectId);
  const id = notificationOf(event);
  if (id === undefined && !isNew) return;
  if (hinted.size === 0) setTimeout(() => void followHints(), MOMENT_MS);
  // A new project is found by reading everything.
  hinted.set(isNew ? '' : (id ?? ''), projectId);
}

function notificationOf(event: Event): string | undefined {
  if (event.type === 'notification.added') return event.data.notification.id;
  const isChange = event.type === 'notification.updated' || event.type === 'notification.resolved';
  return isChange ? event.data.id : undefined;
}

async function followHints(): Promise<void> {
  const hints = [...hinted];
  hinted.clear();
  if (hints.length > MAX_LOOKS || hints.some(([id]) => id === '')) return refresh();
  // A row that cannot be read now is read with all others when the connection is back.
  await Promise.all(hints.map(([id, projectId]) => readOne(projectId, id).catch(leftOut)));
}
