import type { LeaseLoss } from '../agents/run/lease.ts';
import { shownPath } from '../files/real-path.ts';
import type { Issue } from '../plan/audit/rule.ts';
import type { SortedQuestions } from '../plan/from-issues/questions.ts';
import { answerText, earlierAnswer, howToChange } from '../plan/from-issues/questions.ts';
import { cmd } from '../schema/command-line.ts';
import { counted } from '../schema/counted.ts';
import type { Report } from '../work/report.ts';
import { isAtTerminal } from './at-terminal.ts';
import { attemptLine } from './attempt-view.ts';
import { tell } from './output.ts';

/** Prints what a use case reports for the person at the terminal; a live view shows what agents do. */
export function tellReport(event: Report): void {
  for (const line of linesOf(event)) tell(line);
}

function linesOf(event: Report): string[] {
  switch (event.kind) {
    case 'trusted':
      return [`Trusted: ${event.files.join(', ')}.`];
    case 'warnings':
      return warningLines(event.warnings, event.plan, event.folder);
    case 'phase_gone':
      return [`${event.task} is no longer in the plan, so its questions are withdrawn.`];
    case 'already_done':
      return [`All phases of ${event.plan} are already done.`];
    case 'running': {
      const { plan, agent, featureBranch, remote, notes } = event;
      const where = remote === undefined ? '' : ` at ${remote}`;
      return [`Running ${plan} with ${agent}, and merging phases into ${featureBranch}${where}.`, ...notes];
    }
    case 'working': {
      const { task, agent, into, notes } = event;
      return [`${agent} works on ${task}. Fermata merges the result into ${into}.`, ...notes];
    }
    case 'phase':
      return [`${event.phase}: ${event.text}`];
    case 'notice':
      return [event.text];
    case 'questions':
      return questionLines(event);
    case 'judged':
      return [attemptLine(event.attempt)];
    case 'parked':
      // The person who is asked here may be typing the answer.
      return isAtTerminal() ? [] : [`The agent is parked until you answer ${event.open.join(', ')}.`];
    case 'phase_lost':
      return [lostLine(event)];
    case 'agent':
    case 'progress':
    case 'attempt':
    case 'activity':
      return [];
    default:
      return event satisfies never;
  }
}

const lostInWords: Record<LeaseLoss, string> = {
  taken: 'another process or a person has taken it over, so Fermata stopped its agent here',
  silent:
    'this process was suspended or could not reach the ledger for too long, so it released the task; the next claim resumes it where it stopped',
};

/** The message about a phase or task that this process no longer holds. */
export const lostLine = ({ phase, why }: Extract<Report, { kind: 'phase_lost' }>): string =>
  `${phase}: ${lostInWords[why]}`;

/** The rest are only counted. */
const MAX = 20;

function warningLines(warnings: readonly Issue[], plan: string, folder: string): string[] {
  if (warnings.length === 0) return [];
  return [
    `The audit of ${plan} has ${counted(warnings.length, 'warning')}:`,
    ...warnings.slice(0, MAX).map(({ code, message, file, line }) => `  ${file}:${line} ${code}: ${message}`),
    ...(warnings.length > MAX ? [`  List all of them: ${cmd`audit ${shownPath(folder)}`}`] : []),
  ];
}

/** How many questions are asked, and which answers are reused, because reuse must never be silent. */
function questionLines({ resolved, toAsk }: SortedQuestions): string[] {
  const decided = resolved.flatMap(({ question, resolution }) =>
    resolution.kind === 'decided' ? [{ question, ...resolution }] : [],
  );
  const counts = [
    counted(toAsk.length, 'question'),
    ...(decided.length > 0 ? [`${decided.length} already decided`] : []),
    ...(resolved.length > decided.length ? [`${resolved.length - decided.length} not asked`] : []),
  ];
  return [
    `${counts.join(', ')}.`,
    ...decided.map(
      ({ question, answer, by, at, notification }) =>
        `Already decided by ${by} on ${at.slice(0, 10)}: ${earlierAnswer(question, answerText(answer), notification)}`,
    ),
    ...(decided.length > 0 ? [howToChange()] : []),
  ];
}
