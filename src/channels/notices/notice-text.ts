import type { OutgoingNotice } from '../../ledger/notices/notice-outbox.ts';
import type { Question } from '../../schema/question.ts';
import { verbatimCaption, verbatimLines } from '../../schema/verbatim.ts';
import { visibleProse } from '../../schema/visible.ts';
import { type OptionView, type QuestionView, questionView, viewOf } from '../../text/question-view.ts';
import { behindWords } from '../../text/urgency.ts';

/** A question of a notice, short enough for a phone. */
interface NoticeQuestion {
  text: string;
  context?: string;
  /** What the answer approves, as readable lines, each group with a caption. */
  shown: { caption: string; lines: string[] }[];
  /** Says that part is missing, and where the rest is. */
  more?: string;
  options: string[];
  /** What was decided before, and what happens if nobody answers. */
  notes: string[];
  /** Where this question can be answered; missing if there is nothing to answer. */
  link?: string;
}

/** The text of a notice, independent of the sink. */
export interface NoticeText {
  title: string;
  questions: NoticeQuestion[];
}

const MAX_TEXT_LENGTH = 500;
const MAX_OPTION_LENGTH = 160;
const MAX_OPTIONS = 6;
const MAX_QUESTIONS = 5;
/** How much of an approval one notice shows, because the services silently cut longer ones. */
const MAX_SHOWN = 1200;

/**
 * `behind`: how many tasks wait behind the one that it holds. `linkTo` makes the link that answers one question of the
 * notification.
 */
export function noticeText(
  {
    notification,
    reminder,
    behind = 0,
  }: Pick<OutgoingNotice, 'notification' | 'reminder'> & { behind?: number },
  project: string,
  linkTo: (question: Question) => string,
): NoticeText {
  const { questions, responses, status } = notification;
  const { asker, proposal } = viewOf(notification);
  const open = questions.filter(({ id }) => !responses.some(({ questionId }) => questionId === id));
  const some = open.slice(0, MAX_QUESTIONS);
  const what = status === 'recorded' ? 'Notice' : reminder ? 'Still waiting' : 'Question';
  return {
    title: oneLine([`${what}: ${project}`, asker, ...behindWords(behind)].join(' · '), 120),
    questions: some.map((question) => {
      const link = status === 'open' ? linkTo(question) : undefined;
      const view = questionView(notification, question);
      const { header, text, context, material, options, earlier, silence } = view;
      const { shown, isWhole } = shownIn(view, Math.floor(MAX_SHOWN / some.length));
      const where = link ?? 'in the inbox';
      const isMore = material.length > 0 || options.length > MAX_OPTIONS;
      const notes = [earlier, ...(status === 'open' ? [silence, proposal] : [])];
      return {
        text: cut(visibleProse([header, text].filter(Boolean).join(' · ')), MAX_TEXT_LENGTH),
        ...(context === undefined ? {} : { context: cut(visibleProse(context), MAX_TEXT_LENGTH) }),
        shown,
        ...(!isWhole
          ? { more: `INCOMPLETE. Read all of it before you answer: ${where}` }
          : isMore
            ? { more: `There is more to look at before you answer: ${where}` }
            : {}),
        options: options.slice(0, MAX_OPTIONS).map(optionLine),
        notes: notes.flatMap((words) => (words === undefined ? [] : oneLine(words, MAX_TEXT_LENGTH))),
        ...(link === undefined ? {} : { link }),
      };
    }),
  };
}

/** A notice's question as plain text, with a bar before each line of what is approved. */
export function noticeLines({ text, context, shown, more, options, notes }: NoticeQuestion): string[] {
  return [
    text,
    ...(context === undefined ? [] : [context]),
    ...shown.flatMap(({ caption, lines }) => [`${caption}:`, ...lines.map((line) => `│ ${line}`)]),
    ...(more === undefined ? [] : [more]),
    ...options.map((option) => `• ${option}`),
    ...notes,
  ];
}

function optionLine({ label, description, mark }: OptionView): string {
  const named = `${label}${mark ? ` (${mark})` : ''}`;
  return oneLine(description ? `${named} – ${description}` : named, MAX_OPTION_LENGTH);
}

/** As many lines as there is room for. */
function shownIn({ verbatim }: QuestionView, room: number) {
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
