import type { Issue } from '../../issue.ts';
import type { Finding, IssueKind } from '../gap.ts';
import { contentWords } from '../text/content.ts';

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
        ? `What is ${which} about, and what must be true for it to be done?`
        : outcome[kind](which);
    case 'open_question':
      return `${which} asks: ${words}. What is your decision?`;
    case 'no_reproduction':
      return covers.length > 0
        ? `How do you reproduce ${which}, and what should happen instead?`
        : `How do you reproduce ${which}? Give the steps, the environment and the error message.`;
    case 'no_check':
      return `How do we verify ${which}?`;
    case 'open_choice':
      return `Which technology should ${which} use? It says: ${words}.`;
    case 'other_work':
      return `Which issue or pull request does ${which} depend on, and is it done? It says: ${words}.`;
    case 'unbounded':
      return `What is in scope for ${which}, and what is not? It says: ${words}.`;
    case 'no_problem':
      return `What is ${which} about? Say what happens today, and who needs a change.`;
    case 'said_elsewhere':
      return `What does ${which} refer to? It says: ${words}.`;
  }
}

const outcome: Record<IssueKind, (which: string) => string> = {
  bug: (which) => `What happens now in ${which}, and what should happen instead?`,
  feature: (which) => `What must be true for ${which} to be done?`,
  chore: (which) => `What should ${which} change, and what must stay the same?`,
  docs: (which) => `What should the documentation say once ${which} is done?`,
  question: (which) => `What change would resolve ${which}?`,
};

/** Why we ask. */
export function contextText({ cause, evidence }: Finding, kind: IssueKind): string {
  const empty = evidence.filter((each) => each.kind === 'empty_section').map((each) => each.text);
  const untouched =
    empty.length > 0 ? ` Empty sections: ${empty.map((text) => `"${text}"`).join(', ')}.` : '';
  const found = evidence.find((each) => supports.has(each.kind));
  const closest = found ? ` The closest match is in ${placed(found)}: ${quoted(found.text)}.` : '';
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
      ? 'This looks like a bug report, but it has no steps to reproduce and no expected or actual behaviour.'
      : `This looks like a ${kind === 'docs' ? 'documentation change' : kind}, but it has no acceptance criteria, checklist, example or expected behaviour.`,
  open_question: () => 'The issue asks this question and does not answer it.',
  no_reproduction: () =>
    'The issue has no steps, error message or example that would let someone else reproduce it.',
  no_check: () => 'The issue has no acceptance criteria, steps to reproduce or metric to check against.',
  open_choice: () => 'The issue names the options but does not choose one, and neither do the manifests.',
  other_work: () => 'The issue mentions other work without a link.',
  unbounded: () => 'The issue sets no limit: no number, list or named component.',
  no_problem: () => 'The issue says little more than its title.',
  said_elsewhere: () => 'The issue does not include what it refers to.',
};

function placed({ in: where, line }: { in: string; line: number }): string {
  return where === 'title' ? 'the title' : `line ${line}`;
}

const quoted = (text: string) => `"${cut(text.replaceAll('"', "'").replace(/[.。]$/, ''), QUOTED)}"`;

const TITLE = 80;
const NAMED = 4;

/** `#12 "Crash on start"`, cut. */
export function about({ number, title }: Issue): string {
  return `#${number} "${cut(title.replace(/\s+/g, ' ').trim().replaceAll('"', "'"), TITLE)}"`;
}

/** `#3 "A", #5 "B" and 2 more`. */
function aboutAll(issues: Issue[]): string {
  const named = issues.slice(0, NAMED).map(about);
  const rest = issues.length - named.length;
  if (rest > 0) return `${named.join(', ')} and ${rest} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : (named[0] ?? '');
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** The issues whose titles share at least two significant words with a text, in their order. */
export type Related = (text: string) => Issue[];

/** Looks titles up by word, so that a question about each of many issues does not read all titles again. */
export function relatedAmong(issues: readonly Issue[]): Related {
  const byWord = new Map<string, number[]>();
  issues.forEach(({ title }, index) => {
    for (const word of contentWords(title)) {
      const known = byWord.get(word);
      if (known) known.push(index);
      else byWord.set(word, [index]);
    }
  });
  return (text) => {
    const shared = new Map<number, number>();
    for (const word of contentWords(text))
      for (const index of byWord.get(word) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
    return [...shared]
      .filter(([, words]) => words >= 2)
      .sort(([a], [b]) => a - b)
      .flatMap(([index]) => issues[index] ?? []);
  };
}
