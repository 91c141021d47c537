import { colorsOn } from '../channels/colors.ts';
import { markOf, proposed } from '../channels/present.ts';
import { verbatimBlock } from '../channels/verbatim-block.ts';
import { wrap } from '../channels/wrap.ts';
import { describeDuration } from '../config/duration.ts';
import { askerLine } from '../schema/asker.ts';
import { cmd } from '../schema/command-line.ts';
import type { Notification } from '../schema/notification.ts';
import type { Question, Verbatim } from '../schema/question.ts';
import { visible } from '../schema/visible.ts';
import { oneLine } from './table.ts';

const pc = colorsOn(process.stdout);
/** So that one verbose asker does not push the others off the screen; "fermata answer ID" shows everything. */
const MAX = 1000;
const MAX_ROWS = 12;

/** A notification in the inbox: who asks, and what a person needs to know to answer. */
export function notificationLines(of: Notification, project: string | undefined): string {
  const waited = describeDuration((Date.now() - Date.parse(of.createdAt)) / 1000);
  const where = [project, askerLine(of), `waits ${waited}`].filter(Boolean).join(' · ');
  const lines = [
    `${pc.bold(of.id)}  ${pc.dim(visible(where))}`,
    ...of.questions.flatMap((question) => questionLines(of, question)),
    ...proposed(of).map(
      (line) => `  ${pc.yellow(shownText(line))} Accept it with "${cmd`answer ${of.id} --accept`}".`,
    ),
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

function questionLines(of: Notification, question: Question): string[] {
  if (of.responses.some(({ questionId }) => questionId === question.id))
    return [pc.dim(`  ✓ ${shownText(question.text)}`)];
  return [
    `  ${shownText(question.text)}`,
    ...(question.context ? [pc.dim(`  ${shownText(question.context)}`)] : []),
    ...(question.verbatim ?? []).flatMap((piece) => block(of, piece)),
    ...optionLines(question),
    ...(question.multi ? [pc.dim('  Choose several, as in "1,3".')] : []),
  ];
}

/** Short options share a line; an option with a description has its own. */
function optionLines(question: Question): string[] {
  const { options = [] } = question;
  const shown = options.map((option, index) => {
    const named = `${index + 1}) ${oneLine(option.label)}${markOf(question, option)}`;
    return option.description ? `${named} – ${oneLine(option.description)}` : named;
  });
  if (shown.length === 0) return [];
  const rows = options.some(({ description }) => description) ? shown : [shown.join('  ')];
  return rows.map((row) => pc.dim(`  ${shownText(row)}`));
}

function block({ id }: Notification, piece: Verbatim): string[] {
  const most = { rows: MAX_ROWS, whole: `Read all of it: ${cmd`answer ${id}`}` };
  const columns = (process.stdout.columns ?? 120) - 2;
  return verbatimBlock(piece, { columns, most }).map((row) => `  ${row}`);
}
