import type { Notification } from '../../schema/notification.ts';
import type { QAQuestion } from '../../schema/qa.ts';
import type { Question } from '../../schema/question.ts';
import type { PipeQuestion } from './pipe-channel.ts';

/** A question of the ledger that goes over the pipe. */
export interface PipeItem {
  of: Notification;
  question: Question;
  asked: PipeQuestion;
}

/** What only the one that asks knows of a question. */
export type GapFields = Pick<QAQuestion, 'gap_type' | 'issue' | 'severity'>;

/** The question as the parent process gets it; its options are plain texts. */
export function pipeItem(
  of: Notification,
  question: Question,
  id: string,
  gap: GapFields = { gap_type: 'general' },
): PipeItem {
  const { gap_type, issue, severity } = gap;
  const asked: PipeQuestion = {
    type: 'question',
    gap_type,
    question: question.text,
    options: (question.options ?? []).map(({ label }) => label),
    context: question.context ?? '',
    id,
    ...(issue === undefined ? {} : { issue }),
    ...(severity === undefined ? {} : { severity }),
    ...(question.multi ? { multi: true } : {}),
    ...(question.recommended === undefined ? {} : { recommended: question.recommended }),
  };
  return { of, question, asked };
}
