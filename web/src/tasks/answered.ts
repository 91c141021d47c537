import type { Notification } from '../../../src/schema/notification.ts';
import type { ChatMessage } from '../../../src/schema/task.ts';
import { hub } from '../api/hub.ts';

/** In a very long conversation, only the latest answers are looked up. */
const MAX = 40;

/** A settled question changes only when it is amended, which adds a line to the conversation. */
const settled = new Map<string, Notification>();

/** The questions to the answers in a conversation, by notification id. */
export async function answeredIn(
  projectId: string,
  chat: readonly ChatMessage[],
): Promise<ReadonlyMap<string, Notification>> {
  const ids = [...new Set(chat.flatMap(({ notificationId }) => notificationId ?? []))].slice(-MAX);
  const found = await Promise.all(
    ids.map(async (id) => settled.get(keyOf(id, chat)) ?? (await hub.notification(projectId, id))),
  );
  for (const notification of found)
    if (notification.status !== 'open') settled.set(keyOf(notification.id, chat), notification);
  return new Map(found.map((notification) => [notification.id, notification]));
}

const keyOf = (id: string, chat: readonly ChatMessage[]) =>
  `${id} ${chat.filter(({ notificationId }) => notificationId === id).length}`;
