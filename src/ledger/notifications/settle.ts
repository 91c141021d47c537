import type { By } from '../../schema/actor.ts';
import { cmd } from '../../schema/command-line.ts';
import { FermataError } from '../../schema/error.ts';
import { isServerForm } from '../../schema/is-question.ts';
import type { Notification, Response } from '../../schema/notification.ts';
import { questionTitle } from '../../schema/question-title.ts';
import { crashPoint } from '../crash-point.ts';
import { recordDecisions } from '../decisions/decision-log.ts';
import { update } from '../engine/statements.ts';
import type { Tx } from '../engine/store.ts';
import { iso } from '../engine/stored.ts';
import type { NotificationRow } from '../engine/tables.ts';
import { changeTask } from '../tasks/change-task.ts';
import { insertChat } from '../tasks/task-chat-sql.ts';
import { selectTask } from '../tasks/task-sql.ts';
import { blocksTask } from './holds.ts';
import { type Command, decide } from './notification-machine.ts';
import { changedColumns, selectNotification, selectOpenForTask, toNotification } from './notification-sql.ts';

export interface Settled {
  notification: Notification;
  /** The same was said before, so nothing changed. */
  repeat: boolean;
}

/** The asker has the answer to this question. */
export async function deliver(tx: Tx, id: string, by: By): Promise<Settled> {
  crashPoint('answer.begin');
  const row = await selectNotification(tx, tx.projectId, id);
  if (!row) throw unknownNotification(id);
  return settle(tx, row, { kind: 'deliver', at: iso(tx.now) }, by);
}

/**
 * Applies a command to a notification with all its consequences in one transaction: the answer, the task's chat, the
 * decision log, the event, and the task that waited.
 */
export async function settle(tx: Tx, row: NotificationRow, command: Command, by: By): Promise<Settled> {
  const notification = toNotification(row);
  const transition = decide(notification, command);
  if (transition.kind === 'repeat') return { notification, repeat: true };
  const { next, added, resolved } = transition;
  const { id, version } = row;
  // Over the version that was read.
  if ((await update(tx, 'open_questions', changedColumns(row, next), { id, version })) === 0) {
    throw new FermataError('busy', `Question ${row.id} was changed at the same time. Try again.`);
  }
  crashPoint('answer.stored');
  await recordDecisions(tx, next, added);
  const { task } = next.holds;
  if (task !== undefined && blocksTask(next) && !isServerForm(next))
    await tellTaskChat(tx, task, next, added);
  tx.emit({
    type: resolved ? 'notification.resolved' : 'notification.updated',
    by,
    data: {
      id: next.id,
      source: next.source,
      sourceId: next.sourceId,
      kind: next.kind,
      holds: next.holds,
      from: row.status,
      status: next.status,
      ...(next.outcome ? { outcome: next.outcome } : {}),
      ...(added.length > 0 ? { responses: added } : {}),
      ...(next.reason ? { reason: next.reason } : {}),
      ...(command.kind === 'amend' ? { amended: true } : {}),
      ...(command.kind === 'deadline' ? { policy: next.policy.kind } : {}),
      ...(command.kind === 'accept' ? { accepted: next.policy } : {}),
    },
  });
  crashPoint('answer.resolved');
  if (resolved && task !== undefined) await releaseTask(tx, task, next, by);
  crashPoint('answer.unblocked');
  return { notification: next, repeat: false };
}

/** The task continues when its last open question is settled; if a question expired, a person has to look at it. */
async function releaseTask(tx: Tx, taskId: string, notification: Notification, by: By): Promise<void> {
  const task = await selectTask(tx, tx.projectId, taskId);
  if (!task) return;
  if (notification.outcome === 'expired') {
    await changeTask(tx, task, { kind: 'expired' }, by);
    return;
  }
  const openQuestions = await countBlocking(tx, task.id);
  await changeTask(tx, task, { kind: 'answered', openQuestions, now: tx.now }, by);
}

async function tellTaskChat(
  tx: Tx,
  taskId: string,
  notification: Notification,
  added: Response[],
): Promise<void> {
  for (const response of added) {
    const question = notification.questions.find((q) => q.id === response.questionId);
    await insertChat(tx, {
      task_id: taskId,
      by: JSON.stringify(response.by),
      text: `${question ? questionTitle(question) : response.questionId}\n${response.version === undefined ? '' : 'Amended: '}${saidOf(response)}`,
      notification_id: notification.id,
      delivery: null,
      interrupts: 0,
    });
  }
}

function saidOf(response: Response): string {
  if (response.kind === 'skipped') return '(skipped)';
  if (response.kind === 'dismissed') return `(dismissed: ${response.reason})`;
  const answer = Array.isArray(response.answer) ? response.answer.join(', ') : response.answer;
  return response.note ? `${answer}\n${response.note}` : answer;
}

/** How many open notifications block this task. */
export async function countBlocking(tx: Tx, taskId: string): Promise<number> {
  const open = (await selectOpenForTask(tx, taskId)).map(toNotification);
  return open.filter(blocksTask).length;
}

export function unknownNotification(id: string): FermataError {
  return new FermataError('not_found', `There is no question ${id}. "${cmd`inbox`}" lists the open ones.`);
}
