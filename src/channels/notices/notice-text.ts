import type { OutgoingNotice } from '../../ledger/notice-outbox.ts';
import { askerLine } from '../../schema/asker.ts';
import type { Question } from '../../schema/question.ts';

/** A question of a notice, short enough for a phone. */
interface NoticeQuestion {
  text: string;
  options: string[];
  /** Where exactly this question can be answered; missing where there is nothing to answer. */
  link?: string;
}

/** What a notice says, whatever carries it. */
export interface NoticeText {
  title: string;
  questions: NoticeQuestion[];
}

const LONGEST_TEXT = 500;
const LONGEST_OPTION = 80;
const MOST_OPTIONS = 6;
const MOST_QUESTIONS = 5;

/** `linkTo` makes the link that answers one question of the notification. */
export function noticeText(
  { notification, reminder }: Pick<OutgoingNotice, 'notification' | 'reminder'>,
  project: string,
  linkTo: (question: Question) => string,
): NoticeText {
  const { questions, responses, status } = notification;
  const open = questions.filter(({ id }) => !responses.some(({ questionId }) => questionId === id));
  const what = status === 'recorded' ? 'Notice' : reminder ? 'Still waiting' : 'Question';
  return {
    title: oneLine(`${what}: ${project} · ${askerLine(notification)}`, 120),
    questions: open.slice(0, MOST_QUESTIONS).map((question) => ({
      text: cut(question.text, LONGEST_TEXT),
      options: (question.options ?? [])
        .slice(0, MOST_OPTIONS)
        .map(({ label }) => oneLine(label, LONGEST_OPTION)),
      ...(status === 'open' ? { link: linkTo(question) } : {}),
    })),
  };
}

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const oneLine = (text: string, most: number) => cut(text.replace(/\s+/g, ' ').trim(), most);
