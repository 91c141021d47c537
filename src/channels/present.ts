import type { createColors } from 'picocolors';
import { isApproval } from '../schema/is-question.ts';
import type { Notification } from '../schema/notification.ts';
import type { Answer, Question } from '../schema/question.ts';
import { visible } from '../schema/visible.ts';
import {
  answerWords,
  isAsBefore,
  type OptionView,
  type QuestionView,
  viewOf,
} from '../text/question-view.ts';
import { lookFile } from './gate-file/look-file.ts';
import { verbatimBlock } from './verbatim-block.ts';

/** The limit for one piece of a gate's material: a diff may be long, and a file has all of it. */
const MAX_MATERIAL_ROWS = 400;

type Colors = ReturnType<typeof createColors>;

/** A question as lines of text: what is asked, why, the options by number, and what happens if nobody answers. */
export function presentQuestion(
  of: Notification,
  question: Question,
  place: string,
  c: Colors,
  columns: number | undefined,
): string[] {
  const { asker, questions, proposal } = viewOf(of);
  const view = questions.find(({ id }) => id === question.id);
  if (!view) return [];
  const header = [place, view.header, asker].filter(Boolean).map((x) => visible(x ?? ''));
  const dim = (text: string | undefined) => (text === undefined ? [] : [c.dim(visible(text))]);
  return [
    '',
    c.dim(header.join(' · ')),
    c.bold(visible(view.text)),
    ...dim(view.context),
    ...view.verbatim.flatMap((piece) => verbatimBlock(piece, { columns })),
    // The person has seen all of it with the first question.
    ...(view === questions[0] ? presentMaterial(of, view, columns) : []),
    ...view.options.flatMap((option) => presentOption(option, c)),
    ...dim(view.earlier),
    ...dim(view.silence),
    ...(proposal === undefined ? [] : [c.yellow(visible(proposal))]),
  ];
}

function presentMaterial({ gate }: Notification, { material }: QuestionView, columns: number | undefined) {
  const whole = `Read all of it: ${visible(lookFile(gate?.file ?? ''))}`;
  const most = { rows: MAX_MATERIAL_ROWS, whole };
  return material.flatMap((piece) => verbatimBlock(piece, { columns, isDiff: piece.isDiff, most }));
}

/** The numbered options on one line, for places that only name a question; empty if there are none. */
export function optionsInALine({ options = [] }: Question): string {
  return options.map(({ label }, index) => `${index + 1}) ${visible(label).replace(/\s+/g, ' ')}`).join('  ');
}

export function describeAnswer(answer: Answer): string {
  return visible(answerWords(answer));
}

/** What a person may type, shown once per question. */
export function howToReply(question: Question, kind: Notification['kind']): string {
  if (isApproval({ kind })) return approvalWords(question);
  if (kind === 'gate')
    return question.options ? 'a number, or the name of an option' : 'your words; Enter skips it';
  const ways = [];
  if (question.options) ways.push(question.multi ? 'numbers like 1,3' : 'a number');
  ways.push(question.options ? 'your own words' : 'your answer', '"skip"');
  const enter = question.recommended === undefined ? '' : `; Enter takes ${enterDefault(question)}`;
  return `${ways.join(', ')}${enter}`;
}

/** Approve and reject are options 1 and 2; broader approvals come after them. */
export function approvalWords({ options = [] }: Question): string {
  return options.length > 2 ? 'approve, reject or a number' : 'approve or reject';
}

const enterDefault = (question: Question) =>
  isAsBefore(question) ? 'the earlier decision' : 'the recommended one';

function presentOption({ number, label, description, mark, preview }: OptionView, c: Colors): string[] {
  const more = description ? ` ${c.dim(`– ${visible(description)}`)}` : '';
  const rows = preview ? visible(preview).split('\n').slice(0, 12) : [];
  return [
    `  ${number}) ${visible(label)}${more}${mark ? c.green(` (${mark})`) : ''}`,
    ...rows.map((text) => c.dim(`     │ ${text}`)),
  ];
}

/** What happens if nobody answers, for all questions together. */
export function describeSilence(of: Notification): string {
  const each = viewOf(of).questions.flatMap(({ silence }) => silence ?? []);
  return visible([...new Set(each)].join(' '));
}

/** How a notification was settled, and by whom. */
export function describeOutcome(of: Notification): string {
  const by = of.resolvedBy;
  const who = by
    ? `${by.actor.kind === 'policy' ? 'policy ' : ''}${by.actor.name} (${by.channel})`
    : 'somebody';
  const answers = of.responses.flatMap((r) => (r.kind === 'answered' ? [describeAnswer(r.answer)] : []));
  const what =
    of.outcome === 'answered' ? answers.join('; ') : `${of.outcome}${of.reason ? `: ${of.reason}` : ''}`;
  return visible(`${who}: ${what}`);
}
