import { mostUrgentFirst } from '../../channels/most-urgent.ts';
import { noticeText } from '../../channels/notices/notice-text.ts';
import type { NoticeSink } from '../../channels/notices/sink.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { OutgoingNotice } from '../../ledger/notices/notice-outbox.ts';
import { FermataError } from '../../schema/error.ts';
import type { Notification } from '../../schema/notification.ts';
import type { Question } from '../../schema/question.ts';
import type { Job } from '../../work/jobs/jobs.ts';

export interface NoticeParts {
  ledger: Ledger;
  sink: NoticeSink;
  /** The link that answers one question. */
  linkTo(notification: Notification, question: Question, sink: string): string;
  report(error: unknown): void;
}

/** How many are sent at the same time. */
const AT_ONCE = 10;

/** Sends new notices to one sink, at least once. */
export function noticeJob({ ledger, sink, linkTo, report }: NoticeParts): Job {
  const { notices } = ledger;

  const send = async (notice: OutgoingNotice) => {
    const { notification } = notice;
    const { name: project } = await ledger.projects.get(notification.projectId);
    const [urgent] = await mostUrgentFirst(ledger, [notification]);
    const text = noticeText({ ...notice, behind: urgent?.behind }, project, (question) =>
      linkTo(notification, question, sink.name),
    );
    try {
      await sink.send(text, notice.key);
    } catch (error) {
      if (!(await notices.failed(notice, reasonOf(error)))) report(givenUp(notice, reasonOf(error)));
      return;
    }
    await notices.sent(notice);
  };

  return {
    async turn() {
      await notices.collect(sink.name);
      for (;;) {
        const due = await notices.takeDue(sink.name, AT_ONCE);
        if (due.length === 0) return notices.nextDue(sink.name);
        await Promise.all(due.map(send));
      }
    },
  };
}

function givenUp({ notification, sink }: OutgoingNotice, reason: string): FermataError {
  const message = `Could not send the notification for ${notification.id} with ${sink}: ${reason}. It is waiting in the inbox.`;
  return new FermataError('unavailable', message);
}

/** `fetch` hides the reason in the cause. An address may be a secret, so we report only the system's error. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: unknown }; message: string };
  return typeof cause?.code === 'string' ? cause.code : message;
}
