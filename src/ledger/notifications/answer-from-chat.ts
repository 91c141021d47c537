import type { By } from '../../schema/actor.ts';
import { allRows } from '../engine/all-rows.ts';
import { iso } from '../engine/iso.ts';
import type { Tx } from '../engine/store.ts';
import type { ChatRow, NotificationRow } from '../engine/tables.ts';
import { selectChatSince } from '../tasks/task-chat-sql.ts';
import { toChatMessage } from '../tasks/task-row.ts';
import { chatAnswers } from './chat-answers.ts';
import { isForTask } from './holds.ts';
import { toNotification } from './notification-row.ts';
import { type Settled, settle } from './settle.ts';
import { tooLate } from './too-late.ts';

/** Resolves a notification with what people wrote in its task's chat after the question. A second call is a repeat. */
export async function answerFromChat(tx: Tx, row: NotificationRow, by: By): Promise<Settled> {
  const notification = toNotification(row);
  const { holds, outcome, status } = notification;
  const messages =
    holds.task !== undefined && isForTask(notification)
      ? await messagesOfPeople(tx, holds.task, row.created_at)
      : undefined;
  if (outcome === 'answered' && !messages?.length) return { notification, repeat: true };
  if (status !== 'open') throw tooLate(notification);
  const input = { responses: chatAnswers(notification, messages) };
  return settle(tx, row, { kind: 'resolve', input, by, at: iso(tx.now) }, by);
}

/** A recorded answer uses up the messages before it, because they were about that question. */
async function messagesOfPeople(tx: Tx, task: string, since: number): Promise<string[]> {
  const rows = await allRows<ChatRow>((limit, last) =>
    selectChatSince(tx, task, { since, after: last?.id ?? 0, limit }),
  );
  const messages = rows.map(toChatMessage);
  const used = messages.findLastIndex(({ notificationId }) => notificationId !== null);
  return messages
    .slice(used + 1)
    .filter(({ by }) => by.actor.kind === 'person')
    .map(({ text }) => text);
}
