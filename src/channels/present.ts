import type { createColors } from 'picocolors';
import { describeLimit } from '../config/duration.ts';
import { askerLine } from '../schema/asker.ts';
import { defaultAnswer } from '../schema/default-answer.ts';
import { isApproval } from '../schema/is-question.ts';
import type { Notification } from '../schema/notification.ts';
import { proposalWords } from '../schema/proposal.ts';
import type { Answer, Option, Question } from '../schema/question.ts';
import { visible } from '../schema/visible.ts';
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
  const header = [place, question.header, askerLine(of)].filter(Boolean).map((x) => visible(x ?? ''));
  return [
    '',
    c.dim(header.join(' · ')),
    c.bold(visible(question.text)),
    ...(question.context ? [c.dim(visible(question.context))] : []),
    ...presentVerbatim(of, question, columns),
    ...presentOptions(question, c),
    ...(question.earlier
      ? [
          c.dim(
            `Decided before: ${describeAnswer(question.earlier.answer)} (${visible(question.earlier.by)}, ${question.earlier.at.slice(0, 10)})`,
          ),
        ]
      : []),
    ...silence(of, question).map((line) => c.dim(line)),
    ...proposed(of).map((line) => c.yellow(line)),
  ];
}

/** What the answer is about; with a gate's first question, also the material. */
function presentVerbatim(of: Notification, question: Question, columns: number | undefined): string[] {
  const material = question === of.questions[0] ? (of.gate?.material ?? []) : [];
  const whole = `Read all of it: ${visible(lookFile(of.gate?.file ?? ''))}`;
  return [
    ...(question.verbatim ?? []).flatMap((piece) => verbatimBlock(piece, { columns })),
    ...material.flatMap(({ kind, title, text, variant }) =>
      verbatimBlock(
        { label: variant ? `${variant}: ${title}` : title, text },
        { columns, isDiff: kind === 'diff', most: { rows: MAX_MATERIAL_ROWS, whole } },
      ),
    ),
  ];
}

/** The numbered options on one line, for places that only name a question; empty if there are none. */
export function optionsInALine({ options = [] }: Question): string {
  return options.map(({ label }, index) => `${index + 1}) ${visible(label).replace(/\s+/g, ' ')}`).join('  ');
}

export function describeAnswer(answer: Answer): string {
  return visible(Array.isArray(answer) ? answer.join(', ') : answer);
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

/** An earlier decision replaces the asker's recommendation. */
function isAsBefore({ recommended, earlier }: Question): boolean {
  return earlier !== undefined && String(recommended) === String(earlier.answer);
}

/** What follows an option that is recommended, or was chosen before; empty for the others. */
export function markOf(question: Question, { id, label }: Option): string {
  const wanted = [question.recommended ?? []].flat();
  if (!wanted.includes(label) && (id === undefined || !wanted.includes(id))) return '';
  return isAsBefore(question) ? ' (decided before)' : ' (recommended)';
}

function presentOptions(question: Question, c: Colors): string[] {
  return (question.options ?? []).flatMap((option, index) => {
    const description = option.description ? ` ${c.dim(`– ${visible(option.description)}`)}` : '';
    const line = `  ${index + 1}) ${visible(option.label)}${description}${c.green(markOf(question, option))}`;
    const preview = option.preview ? visible(option.preview).split('\n').slice(0, 12) : [];
    return [line, ...preview.map((text) => c.dim(`     │ ${text}`))];
  });
}

/** What the agent proposes in case nobody answers; empty if it proposes nothing. */
export function proposed(of: Notification): string[] {
  const words = proposalWords(of, describeLimit);
  return words === undefined ? [] : [`${visible(words)}.`];
}

/** What happens if nobody answers, for all questions together. */
export function describeSilence(of: Notification): string {
  return [...new Set(of.questions.flatMap((question) => silence(of, question)))].join(' ');
}

function silence(of: Notification, question: Question): string[] {
  const { policy } = of;
  if (policy.kind === 'wait') return [];
  const limit = describeLimit(policy.after);
  switch (policy.kind) {
    case 'remind':
      return [`You will be reminded after ${limit}.`];
    case 'default':
      return [
        `If nobody answers within ${limit}, the answer will be ${describeAnswer(defaultAnswer(policy.answers, question.id) ?? '')}.`,
      ];
    case 'skip':
      return [`If nobody answers within ${limit}, the question is skipped.`];
    case 'fail':
      return [`If nobody answers within ${limit}, the question expires.`];
    default: {
      const never: never = policy;
      return never;
    }
  }
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
