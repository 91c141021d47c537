import { asOffered } from '../../ledger/forms/offered-options.ts';
import { isPersonal } from '../../schema/is-question.ts';
import type { Notification } from '../../schema/notification.ts';
import type { QAQuestion } from '../../schema/qa.ts';
import type { Question } from '../../schema/question.ts';
import { verbatimText } from '../../schema/verbatim.ts';
import { questionView, viewOf } from '../../text/question-view.ts';

/** The format on the pipe. */
export type PipeQuestion = QAQuestion & { id: string };

/** A question of the ledger that goes over the pipe. */
export interface PipeItem {
  of: Notification;
  question: Question;
  asked: PipeQuestion;
  /** A person allows or decides something once, so an answer without an id never counts. */
  needsId: boolean;
}

/** What only the asker knows about a question. */
export type GapFields = Pick<QAQuestion, 'gap_type' | 'issue' | 'severity'>;

/** All questions of a notification; if there are several, each has its own id. */
export function pipeItemsOf(of: Notification): PipeItem[] {
  const { id, questions } = of;
  return questions.map((question) =>
    pipeItem(of, question, questions.length > 1 ? `${id}/${question.id}` : id),
  );
}

/** The question as the parent process gets it; its options are plain texts that can be sent back. */
export function pipeItem(
  of: Notification,
  question: Question,
  id: string,
  gap: GapFields = { gap_type: 'general' },
): PipeItem {
  const { gap_type, issue, severity } = gap;
  const {
    text,
    options = [],
    context,
    verbatim = [],
    multi,
    recommended,
  } = asOffered({
    ...question,
    recommended: questionView(of, question).recommended,
  });
  const { proposal } = viewOf(of);
  const asked: PipeQuestion = {
    type: 'question',
    gap_type,
    question: text,
    options: options.map(({ label }) => label),
    context: [context, ...verbatim.map(verbatimText), proposal].filter(Boolean).join('\n'),
    id,
    ...(issue === undefined ? {} : { issue }),
    ...(severity === undefined ? {} : { severity }),
    ...(question.verbatim ? { verbatim } : {}),
    ...(multi ? { multi: true } : {}),
    ...(recommended === undefined ? {} : { recommended }),
    ...(proposal === undefined ? {} : { proposal }),
  };
  return { of, question, asked, needsId: isPersonal(of) };
}
