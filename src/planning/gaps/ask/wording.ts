import type { Issue } from '../../issues/issue.ts';
import type { Finding } from '../gap.ts';
import type { IssueKind } from '../kind.ts';
import { about, aboutAll, cut } from './about.ts';

const QUOTED = 140;

/** The question for a gap. One that several issues share names them all. */
export function questionText(
  { cause, quote = '' }: Finding,
  kind: IssueKind,
  issues: Issue[],
  covers: Finding[] = [],
): string {
  const which = issues.length > 1 ? aboutAll(issues) : about(issues[0] as Issue);
  const words = quoted(quote);
  switch (cause) {
    case 'no_outcome':
      return covers.length > 0
        ? `What is ${which} about, and how does it behave when it is done?`
        : outcome[kind](which);
    case 'open_question':
      return `${which} leaves open: ${words}. What is decided?`;
    case 'no_reproduction':
      return covers.length > 0
        ? `How can one see ${which} happen (steps, environment, message), and what should happen instead?`
        : `How can one see ${which} happen: which steps, in which environment, with which message?`;
    case 'no_check':
      return issues.length > 1
        ? `How will the results of ${which} be checked?`
        : `How will one see that ${which} does what it should?`;
    case 'open_choice':
      return `${which} ${plural(issues, 'leaves', 'leave')} a choice of technology open: ${words}. Which one is it?`;
    case 'other_work':
      return `${which} ${plural(issues, 'waits', 'wait')} for other work: ${words}. Which issue or pull request is that, and is it done?`;
    case 'unbounded':
      return `${which} has no end: ${words}. What belongs to it, and where does it stop?`;
    case 'no_problem':
      return `What is ${which} about: what happens today, and who needs it to be different?`;
    case 'said_elsewhere':
      return `${which} points to something that is not in it: ${words}. What was said there?`;
  }
}

const outcome: Record<IssueKind, (which: string) => string> = {
  bug: (which) => `${which}: what happens now, and what should happen instead?`,
  feature: (which) => `${which}: how does it behave when it is done?`,
  chore: (which) => `${which}: what is different when it is done, and what has to stay as it is?`,
  docs: (which) => `${which}: what should a reader find there afterwards?`,
  question: (which) => `${which}: which change would answer it?`,
};

/** Why it is asked. */
export function contextText({ cause, evidence }: Finding, kind: IssueKind): string {
  const empty = evidence.filter((each) => each.kind === 'empty_section').map((each) => each.text);
  const untouched = empty.length > 0 ? ` Left empty: ${empty.map((text) => `"${text}"`).join(', ')}.` : '';
  const found = evidence.find((each) => supports.has(each.kind));
  const closest = found ? ` The closest to it is in ${placed(found)}: ${quoted(found.text)}.` : '';
  return `${reasons[cause](kind)}${untouched}${closest}`;
}

const supports = new Set([
  'description',
  'trigger',
  'behaviour',
  'proposal',
  'picture',
  'reference',
  'story',
  'contrast',
  'title',
]);

const reasons: Record<Finding['cause'], (kind: IssueKind) => string> = {
  no_outcome: (kind) =>
    kind === 'bug'
      ? 'It reads like a bug, but has neither a reproduction nor expected against actual behaviour.'
      : `It reads like a ${kind === 'docs' ? 'change of the documentation' : kind}, but has no criteria, checklist, example or described behaviour.`,
  open_question: () => 'The issue asks this itself and does not answer it.',
  no_reproduction: () =>
    'There are no steps, no error message and no example that would show the fault to somebody else.',
  no_check: () => 'There is no criterion, no reproduction and no measure to check against.',
  open_choice: () =>
    'The text names the choice and does not make it, and the manifests do not make it either.',
  other_work: () => 'The text points to other work without a link.',
  unbounded: () => 'The wording has no bounds: no number, no list, no named place.',
  no_problem: () => 'Beyond its title the issue says hardly anything.',
  said_elsewhere: () => 'What it refers to is not in the issue.',
};

function placed({ in: where, line }: { in: string; line: number }): string {
  return where === 'title' ? 'the title' : `line ${line}`;
}

const quoted = (text: string) => `"${cut(text.replaceAll('"', "'").replace(/[.。]$/, ''), QUOTED)}"`;
const plural = (issues: Issue[], one: string, many: string) => (issues.length > 1 ? many : one);
