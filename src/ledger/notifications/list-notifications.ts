import type { Notification, Status } from '../../schema/notification.ts';
import {
  type NotificationFilter,
  notificationTest,
  notificationWords,
} from '../../schema/notification-filter.ts';
import type { SqlRunner } from '../engine/store.ts';
import { readCursor, writeCursor } from '../engine/stored.ts';
import { selectProjects } from '../projects/project-sql.ts';
import { type PlaceInQueue, selectPage, toNotification } from './notification-sql.ts';

export interface ListQuery extends NotificationFilter {
  projectId?: string;
  status?: Status[];
  after?: string;
  limit?: number;
}

export interface NotificationPage {
  notifications: Notification[];
  next?: string;
}

/** How many rows one page of a filtered list reads. */
const MAX_SCANNED = 1000;

/** One page of a query. */
export async function listNotifications(reader: SqlRunner, query: ListQuery): Promise<NotificationPage> {
  if (query.status?.length === 0) return { notifications: [] };
  const limit = pageSize(query.limit);
  const fits = await filterOf(reader, query);
  const looked = fits ? MAX_SCANNED : limit;
  const rows = await selectPage(reader, {
    projectId: query.projectId,
    status: query.status ?? ['open'],
    after: query.after === undefined ? undefined : readPlace(query.after),
    limit: looked + 1,
  });
  const seen = rows.slice(0, looked).map(toNotification);
  const found = fits ? seen.filter(fits) : seen;
  const notifications = found.slice(0, limit);
  const last = found.length > limit ? notifications.at(-1) : rows.length > looked ? seen.at(-1) : undefined;
  return { notifications, ...(last ? { next: writePlace(last) } : {}) };
}

/** Undefined if there is nothing to filter. */
async function filterOf(
  reader: SqlRunner,
  { text, kind }: NotificationFilter,
): Promise<((notification: Notification) => boolean) | undefined> {
  if (text === undefined && kind === undefined) return undefined;
  const projects = await selectProjects(reader);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return notificationTest({ text, kind }, (notification) =>
    notificationWords(notification, names.get(notification.projectId) ?? ''),
  );
}

/** An integer from 1 to 1000, because SQLite takes a negative limit as no limit. */
function pageSize(limit: number | undefined): number {
  return Math.min(Math.max(Math.trunc(limit || 100), 1), 1000);
}

/** Prefix of the cursor for questions that come after all others. */
const BEHIND = '~';

const writePlace = ({ overflow, createdAt, id }: Notification): string =>
  `${overflow ? BEHIND : ''}${writeCursor(createdAt, id)}`;

function readPlace(cursor: string): PlaceInQueue {
  const overflow = cursor.startsWith(BEHIND);
  return { overflow, ...readCursor(overflow ? cursor.slice(BEHIND.length) : cursor) };
}
