import type { Notification } from '../../../src/schema/notification.ts';
import type { ChatMessage } from '../../../src/schema/task.ts';
import { hub } from '../api/hub.ts';

/** Of a very long conversation only what was answered last is looked up. */
const MOST = 40;

/** What is settled changes only when it is amended, which is one more line in the conversation. */
const settled = new Map<string, Notification>();

/** What the answers in a conversation were given to, by notification id. */
export async function answeredIn(
  projectId: string,
  chat: readonly ChatMessage[],
): Promise<ReadonlyMap<string, Notification>> {
  const ids = [...new Set(chat.flatMap(({ notificationId }) => notificationId ?? []))].slice(-MOST);
  const found = await Promise.all(
    ids.map(async (id) => settled.get(keyOf(id, chat)) ?? (await hub.notification(projectId, id))),
  );
  for (const notification of found)
    if (notification.status !== 'open') settled.set(keyOf(notification.id, chat), notification);
  return new Map(found.map((notification) => [notification.id, notification]));
}

const keyOf = (id: string, chat: readonly ChatMessage[]) =>
  `${id} ${chat.filter(({ notificationId }) => notificationId === id).length}`;
