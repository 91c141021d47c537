import { colorsOn } from '../channels/colors.ts';
import { verbatimBlock } from '../channels/verbatim-block.ts';
import { wrap } from '../channels/wrap.ts';
import { cmd } from '../schema/command-line.ts';
import type { Notification } from '../schema/notification.ts';
import type { Verbatim } from '../schema/question.ts';
import { verbatimCaption } from '../schema/verbatim.ts';
import { visible } from '../schema/visible.ts';
import { describeDuration } from '../text/duration.ts';
import { type QuestionView, viewOf } from '../text/question-view.ts';
import { behindWords } from '../text/urgency.ts';
import { oneLine } from './table.ts';

const pc = colorsOn(process.stdout);
/** So that one verbose asker does not push the others off the screen; "fermata answer ID" shows everything. */
const MAX = 1000;
const MAX_ROWS = 12;

/** A notification in the inbox: who asks, and what a person needs to know to answer. */
export function notificationLines(of: Notification, project: string | undefined, behind = 0): string {
  const waited = describeDuration((Date.now() - Date.parse(of.createdAt)) / 1000);
  const { asker, questions, proposal } = viewOf(of);
  const where = [project, asker, ...behindWords(behind), `waits ${waited}`].filter(Boolean).join(' · ');
  const lines = [
    `${pc.bold(of.id)}  ${pc.dim(visible(where))}`,
    ...questions.flatMap((question) => questionLines(of, question)),
    ...(proposal === undefined
      ? []
      : [`  ${pc.yellow(shownText(proposal))} Accept it with "${cmd`answer ${of.id} --accept`}".`]),
  ];
  return wrap(lines.join('\n'), process.stdout.columns);
}

export const nothingWaits = (project: { name: string } | undefined): string =>
  project
    ? `Nothing is waiting for you in ${project.name}. To see all projects: ${cmd`inbox --all`}`
    : 'Nothing is waiting for you.';

/** Bounded, and indented below the line with the asker. */
export function shownText(text: string): string {
  const whole = visible(text);
  return (whole.length > MAX ? `${whole.slice(0, MAX)} …` : whole).replaceAll('\n', '\n  ');
}

function questionLines(of: Notification, question: QuestionView): string[] {
  if (of.responses.some(({ questionId }) => questionId === question.id))
    return [pc.dim(`  ✓ ${shownText(question.text)}`)];
  const { header, text, context, verbatim, material, multi, earlier, silence } = question;
  const dim = (line: string | undefined) => (line === undefined ? [] : [pc.dim(`  ${shownText(line)}`)]);
  return [
    `  ${header ? `${pc.dim(`${oneLine(header)} ·`)} ` : ''}${shownText(text)}`,
    ...dim(context),
    ...verbatim.flatMap((piece) => block(of, piece)),
    ...material.map((piece) => pc.dim(`  To look at: ${verbatimCaption(piece)}. ${wholeOf(of)}`)),
    ...optionLines(question).flatMap(dim),
    ...dim(multi ? 'Choose several, as in "1,3".' : undefined),
    ...dim(earlier),
    ...dim(silence),
  ];
}

/** Short options share a line; an option with a description has its own. */
function optionLines({ options }: QuestionView): string[] {
  const shown = options.map(({ number, label, mark, description }) => {
    const named = `${number}) ${oneLine(label)}${mark ? ` (${mark})` : ''}`;
    return description ? `${named} – ${oneLine(description)}` : named;
  });
  return options.some(({ description }) => description) ? shown : [shown.join('  ')].filter(Boolean);
}

const wholeOf = ({ id }: Notification) => `Read all of it: ${cmd`answer ${id}`}`;

function block(of: Notification, piece: Verbatim): string[] {
  const most = { rows: MAX_ROWS, whole: wholeOf(of) };
  const columns = (process.stdout.columns ?? 120) - 2;
  return verbatimBlock(piece, { columns, most }).map((row) => `  ${row}`);
}
