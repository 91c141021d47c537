import type { By } from '../../schema/actor.ts';
import { counted } from '../../schema/counted.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import type { ChatMessage } from '../../schema/task.ts';
import type { Tx } from '../engine/store.ts';
import { allRows, iso } from '../engine/stored.ts';
import type { ChatRow, NotificationRow } from '../engine/tables.ts';
import { selectChatSince, updateQueued } from '../tasks/task-chat-sql.ts';
import { toChatMessage } from '../tasks/task-row.ts';
import { isForTask } from './holds.ts';
import { toNotification } from './notification-sql.ts';
import { type Settled, settle } from './settle.ts';
import { tooLate } from './too-late.ts';

interface ChatAnswer {
  questionId: string;
  answer: string;
}

/**
 * Reads a person's chat messages as answers to what is open: the whole text for one question; for several, one message or
 * line each in order, or numbered lines. Throws if that is ambiguous, or if there is no chat.
 */
export function chatAnswers(notification: Notification, messages: string[] | undefined): ChatAnswer[] {
  const { id, questions, responses } = notification;
  const open = questions.filter(
    (question) => !responses.some(({ questionId }) => questionId === question.id),
  );
  const said = (messages ?? []).map((text) => text.trim()).filter((text) => text !== '');
  if (said.length === 0) throw nothingSaid(notification, messages !== undefined);
  const [only] = open;
  if (only && open.length === 1) return [{ questionId: only.id, answer: said.join('\n') }];
  const numbered = said.filter((text) => startOf(questions, text));
  if (numbered.length === 0) return inOrder(id, open, said);
  // A person whose first try was refused writes all of it again.
  const last = said.at(-1) ?? '';
  const text = open.every((question) => names(questions, last).includes(question.id))
    ? last
    : said.join('\n');
  if (text !== last && numbered.length < said.length)
    throw unclear(id, 'some messages are numbered and some are not');
  return byNumber(id, questions, open, text.split('\n'));
}

function inOrder(id: string, open: Question[], said: string[]): ChatAnswer[] {
  const [first = ''] = said;
  const parts = said.length === 1 ? first.split('\n').filter((line) => line.trim() !== '') : said;
  if (parts.length !== open.length) {
    throw unclear(
      id,
      `it has ${counted(open.length, 'open question')}, but the chat has ${counted(parts.length, 'answer')} since then`,
    );
  }
  return open.map((question, index) => ({ questionId: question.id, answer: parts[index] ?? '' }));
}

function byNumber(id: string, questions: Question[], open: Question[], lines: string[]): ChatAnswer[] {
  const answers: ChatAnswer[] = [];
  for (const line of lines) {
    const start = startOf(questions, line);
    const current = answers.at(-1);
    if (!start && current) current.answer += `\n${line}`;
    if (!start) continue;
    if (start.questionId === undefined) throw unclear(id, `it has no question ${start.name}`);
    if (answers.some(({ questionId }) => questionId === start.questionId))
      throw unclear(id, `question "${start.questionId}" is answered twice`);
    answers.push({ questionId: start.questionId, answer: start.text });
  }
  const missing = open.find((question) => !answers.some(({ questionId }) => questionId === question.id));
  if (missing) throw unclear(id, `question "${missing.id}" has no answer`);
  return answers;
}

/** How an answer starts: "2. Yes", "2) Yes", "2: Yes" or, with the question's id, "q2: Yes". */
function startOf(questions: Question[], line: string) {
  const [, number, name, text = ''] = /^\s*(?:(\d{1,4})[.):]|([^\s:]{1,200}):)[ \t]+(\S.*)/.exec(line) ?? [];
  const meant = questions.find((question, index) => index + 1 === Number(number) || question.id === name);
  return meant || number ? { questionId: meant?.id, name: number ?? name, text } : undefined;
}

const names = (questions: Question[], text: string) =>
  text.split('\n').map((line) => startOf(questions, line)?.questionId);

const WITH_BODY = '{"responses":[{"questionId":"q1","answer":"…"}]}';

function nothingSaid({ id, sourceId }: Notification, hasChat: boolean): FermataError {
  const why = hasChat
    ? `the request has no body, and no person wrote to the chat of task ${sourceId} since the question. Write the answer there first, or send`
    : 'the request has no body. Send';
  return new FermataError('invalid', `No answer to ${id}: ${why} ${WITH_BODY}.`);
}

function unclear(id: string, why: string): FermataError {
  return new FermataError(
    'invalid',
    `The chat does not clearly answer ${id}: ${why}. Write one message with numbered answers ("1. …", "2. …" each on its own line), or send ${WITH_BODY}.`,
  );
}

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
  const input = {
    responses: chatAnswers(
      notification,
      messages?.map(({ text }) => text),
    ),
  };
  // As an answer they reach the asker, so they are not delivered as messages too.
  for (const { taskId, id } of messages ?? []) await updateQueued(tx, taskId, id, null);
  return settle(tx, row, { kind: 'resolve', input, by, at: iso(tx.now) }, by);
}

/** A recorded answer uses up the messages before it, because they were about that question. */
async function messagesOfPeople(tx: Tx, task: string, since: number): Promise<ChatMessage[]> {
  const rows = await allRows<ChatRow>((limit, last) =>
    selectChatSince(tx, task, { since, after: last?.id ?? 0, limit }),
  );
  const messages = rows.map(toChatMessage);
  const used = messages.findLastIndex(({ notificationId }) => notificationId !== null);
  return messages.slice(used + 1).filter(({ by }) => by.actor.kind === 'person');
}
