import type { createColors } from 'picocolors';
import { describeDuration } from '../config/duration.ts';
import { askerLine } from '../schema/asker.ts';
import { defaultAnswer } from '../schema/default-answer.ts';
import type { Notification } from '../schema/notification.ts';
import type { Answer, Question } from '../schema/question.ts';
import { printable } from './printable.ts';

type Colors = ReturnType<typeof createColors>;

/** A question as lines of text: what is asked, why, the options by number, and what silence leads to. */
export function presentQuestion(of: Notification, question: Question, place: string, c: Colors): string[] {
  const header = [place, question.header, askerLine(of)].filter(Boolean).map((x) => printable(x ?? ''));
  return [
    '',
    c.dim(header.join(' · ')),
    c.bold(printable(question.text)),
    ...(question.context ? [c.dim(printable(question.context))] : []),
    ...presentOptions(question, c),
    ...(question.earlier
      ? [
          c.dim(
            `Decided before: ${describeAnswer(question.earlier.answer)} (${printable(question.earlier.by)}, ${question.earlier.at.slice(0, 10)})`,
          ),
        ]
      : []),
    ...silence(of, question).map((line) => c.dim(line)),
  ];
}

/** The options by number on one line, for where a question is only named; nothing where it has none. */
export function optionsInALine({ options = [] }: Question): string {
  return options
    .map(({ label }, index) => `${index + 1}) ${printable(label).replace(/\s+/g, ' ')}`)
    .join('  ');
}

export function describeAnswer(answer: Answer): string {
  return printable(Array.isArray(answer) ? answer.join(', ') : answer);
}

/** What a person may type, said once per question. */
export function howToReply(question: Question, source: Notification['source']): string {
  if (source === 'approval') return 'approve or reject';
  if (source === 'gate')
    return question.options ? 'a number, or the name of an option' : 'your words; Enter leaves it out';
  const ways = [];
  if (question.options) ways.push(question.multi ? 'numbers like 1,3' : 'a number');
  ways.push(question.options ? 'your own words' : 'your answer', '"skip"');
  const enter = question.recommended === undefined ? '' : `; Enter takes ${whatEnterTakes(question)}`;
  return `${ways.join(', ')}${enter}`;
}

const whatEnterTakes = (question: Question) =>
  isAsBefore(question) ? 'what was decided before' : 'the recommended one';

/** What was decided before takes the place of what the asker recommends. */
function isAsBefore({ recommended, earlier }: Question): boolean {
  return earlier !== undefined && String(recommended) === String(earlier.answer);
}

function presentOptions(question: Question, c: Colors): string[] {
  const wanted = [question.recommended ?? []].flat();
  const word = isAsBefore(question) ? 'decided before' : 'recommended';
  return (question.options ?? []).flatMap((option, index) => {
    const mark = wanted.includes(option.label) || (option.id !== undefined && wanted.includes(option.id));
    const description = option.description ? ` ${c.dim(`– ${printable(option.description)}`)}` : '';
    const line = `  ${index + 1}) ${printable(option.label)}${description}${mark ? c.green(` (${word})`) : ''}`;
    const preview = option.preview ? printable(option.preview).split('\n').slice(0, 12) : [];
    return [line, ...preview.map((text) => c.dim(`     │ ${text}`))];
  });
}

function silence(of: Notification, question: Question): string[] {
  const { policy } = of;
  if (policy.kind === 'wait') return [];
  const after = `after ${describeDuration(policy.after)}`;
  switch (policy.kind) {
    case 'remind':
      return [`You are reminded ${after}.`];
    case 'default':
      return [
        `If nobody answers ${after}: ${describeAnswer(defaultAnswer(policy.answers, question.id) ?? '')}.`,
      ];
    case 'skip':
      return [`If nobody answers ${after}, it is skipped.`];
    case 'fail':
      return [`If nobody answers ${after}, it fails.`];
    default: {
      const never: never = policy;
      return never;
    }
  }
}

/** How a notification ended, and by whom. */
export function describeOutcome(of: Notification): string {
  const by = of.resolvedBy;
  const who = by
    ? `${by.actor.kind === 'policy' ? 'policy ' : ''}${by.actor.name} (${by.channel})`
    : 'somebody';
  const answers = of.responses.flatMap((r) => (r.kind === 'answered' ? [describeAnswer(r.answer)] : []));
  const what =
    of.outcome === 'answered' ? answers.join('; ') : `${of.outcome}${of.reason ? `: ${of.reason}` : ''}`;
  return printable(`${who}: ${what}`);
}
