import type { OutgoingNotice } from '../../ledger/notices/notice-outbox.ts';
import { askerLine } from '../../schema/asker.ts';
import type { Question } from '../../schema/question.ts';
import { verbatimCaption, verbatimLines } from '../../schema/verbatim.ts';
import { visibleProse } from '../../schema/visible.ts';
import { proposed } from '../present.ts';

/** A question of a notice, short enough for a phone. */
interface NoticeQuestion {
  text: string;
  /** What the answer approves, as readable lines, each group with a caption. */
  shown: { caption: string; lines: string[] }[];
  /** Says that part is missing, and where the rest is. */
  more?: string;
  options: string[];
  /** What the agent proposes to do if nobody answers. */
  proposal?: string;
  /** Where this question can be answered; missing if there is nothing to answer. */
  link?: string;
}

/** The text of a notice, independent of the sink. */
export interface NoticeText {
  title: string;
  questions: NoticeQuestion[];
}

const MAX_TEXT_LENGTH = 500;
const MAX_OPTION_LENGTH = 80;
const MAX_OPTIONS = 6;
const MAX_QUESTIONS = 5;
/** How much of an approval one notice shows, because the services silently cut longer ones. */
const MAX_SHOWN = 1200;

/** `linkTo` makes the link that answers one question of the notification. */
export function noticeText(
  { notification, reminder }: Pick<OutgoingNotice, 'notification' | 'reminder'>,
  project: string,
  linkTo: (question: Question) => string,
): NoticeText {
  const { questions, responses, status, gate } = notification;
  const open = questions.filter(({ id }) => !responses.some(({ questionId }) => questionId === id));
  const some = open.slice(0, MAX_QUESTIONS);
  const proposal =
    status === 'open' ? proposed(notification).map((words) => oneLine(words, MAX_TEXT_LENGTH))[0] : undefined;
  const what = status === 'recorded' ? 'Notice' : reminder ? 'Still waiting' : 'Question';
  return {
    title: oneLine(`${what}: ${project} · ${askerLine(notification)}`, 120),
    questions: some.map((question) => {
      const link = status === 'open' ? linkTo(question) : undefined;
      const { shown, isWhole } = shownIn(question, Math.floor(MAX_SHOWN / some.length));
      const where = link ?? 'in the inbox';
      return {
        text: cut(visibleProse(question.text), MAX_TEXT_LENGTH),
        shown,
        ...(!isWhole
          ? { more: `INCOMPLETE. Read all of it before you answer: ${where}` }
          : gate?.material?.length
            ? { more: `There is more to look at before you answer: ${where}` }
            : {}),
        options: (question.options ?? [])
          .slice(0, MAX_OPTIONS)
          .map(({ label }) => oneLine(label, MAX_OPTION_LENGTH)),
        ...(link === undefined ? {} : { link }),
        ...(proposal === undefined ? {} : { proposal }),
      };
    }),
  };
}

/** As many lines as there is room for. */
function shownIn({ verbatim = [] }: Question, room: number) {
  let left = room;
  let isWhole = true;
  const shown = verbatim.map((piece) => {
    const lines: string[] = [];
    for (const line of verbatimLines(piece.text)) {
      if (left <= 0) isWhole = false;
      if (!isWhole) break;
      lines.push(cut(line, left));
      isWhole = line.length <= left;
      left -= line.length + 1;
    }
    return { caption: verbatimCaption(piece), lines };
  });
  return { shown, isWhole };
}

const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const oneLine = (text: string, most: number) => cut(visibleProse(text).replace(/\s+/g, ' ').trim(), most);
