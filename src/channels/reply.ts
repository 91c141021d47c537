import { isTypoOf } from '../config/near.ts';
import { blankIn, optionNamed } from '../ledger/notifications/questions.ts';
import { endsInBlank, filledIn } from '../schema/blank.ts';
import { cmd } from '../schema/command-line.ts';
import { isApproval } from '../schema/is-question.ts';
import type { Notification } from '../schema/notification.ts';
import type { Answer, Option, Question } from '../schema/question.ts';
import { approvalWords, howToReply } from './present.ts';

/** What a person types to accept the agent's proposal. */
export const ACCEPT = '+';

/** What a person's line means as a reply to a question. */
export type Reply =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'skip' }
  | { kind: 'unclear'; message: string }
  /** Return to the previous question; the message is for places where that is not possible. */
  | { kind: 'back'; message: string }
  /** The picked option ends in a blank that has yet to be filled in. */
  | { kind: 'blank'; answer: Answer; label: string; message: string };

/**
 * Reads a line: the label, number or id of an option, or a unique prefix of a label; several of them if allowed; `skip`,
 * `back`, `?` for help, or free text. If the options are numbers themselves, a label counts before a position. A lone `?` is never an answer. An empty line takes the recommended answer; `=`
 * before a text takes it literally.
 */
export function readReply(line: string, question: Question, kind: Notification['kind']): Reply {
  return withBlankSeen(question, readLine(line, question, kind));
}

/** Reads what fills the blank of the picked option; an empty line undoes the pick. */
export function fillBlank(begun: Extract<Reply, { kind: 'blank' }>, line: string, question: Question): Reply {
  if (/^\?*$/.test(line.trim()))
    return { kind: 'unclear', message: 'Pick again, or answer in your own words.' };
  const whole = filledIn(begun.label, line);
  const values = [begun.answer].flat().map((value) => (value === begun.label ? whole : value));
  return withBlankSeen(question, answer(question, values));
}

function withBlankSeen({ options = [] }: Question, reply: Reply): Reply {
  const blank = reply.kind === 'answer' ? blankIn(options, reply.answer) : undefined;
  return reply.kind === 'answer' && blank ? { kind: 'blank', answer: reply.answer, ...blank } : reply;
}

function readLine(line: string, question: Question, kind: Notification['kind']): Reply {
  const text = line.trim();
  if (asksForHelp(text)) return { kind: 'unclear', message: help(question, kind) };
  if (text.toLowerCase() === 'back' && !optionNamed(question.options ?? [], text)) return BACK;
  if (isApproval({ kind })) return approval(question, text);
  if (kind === 'gate' && question.options) return decision(question, question.options, text);
  if (text === '' && kind === 'gate') return { kind: 'skip' }; // a remark is optional
  if (text === '') return recommended(question);
  if (text.startsWith('=') && text.length > 1) return answer(question, [text.slice(1).trim()]);
  if (text.toLowerCase() === 'skip' && !optionNamed(question.options ?? [], text)) return { kind: 'skip' };
  const options = question.options ?? [];
  if (options.length === 0) return answer(question, [text]);
  return question.multi ? several(question, options, text) : one(question, options, text);
}

const BACK: Reply = {
  kind: 'back',
  message: `You can go back only in the dialog of "${cmd`answer`}". To answer with the word itself, type =back.`,
};

/** A lone `?` is never an answer, on any channel. */
export const asksForHelp = (text: string) => /^=?\s*\?+$/.test(text);

function help(question: Question, kind: Notification['kind']): string {
  const literal =
    isApproval({ kind }) || (kind === 'gate' && question.options) ? '' : '; =TEXT to send TEXT literally';
  return `You can type: ${howToReply(question, kind)}; back for the previous question${literal}.`;
}

function recommended(question: Question): Reply {
  if (question.recommended !== undefined) return { kind: 'answer', answer: question.recommended };
  return { kind: 'unclear', message: 'Type an answer, or "skip".' };
}

function one(question: Question, options: Option[], text: string): Reply {
  if (/^\d+$/.test(text)) return byNumbers(question, options, [text]);
  if (/^\d+(?:\s*[,;]\s*\d+)+$/.test(text)) {
    return {
      kind: 'unclear',
      message: `This question takes one answer. To answer with the text itself, type =${text}.`,
    };
  }
  const named = matchingOption(options, text);
  if (named && 'kind' in named) return named;
  return (named ? undefined : nearMiss(options, text)) ?? answer(question, [named?.label ?? text]);
}

/** The named option, or the only one with this prefix. */
function matchingOption(
  options: Option[],
  text: string,
): Option | Extract<Reply, { kind: 'unclear' }> | undefined {
  const named = optionNamed(options, text);
  if (named) return named;
  const wanted = text.toLowerCase();
  const begun = options.filter(({ label }) => !endsInBlank(label) && label.toLowerCase().startsWith(wanted));
  if (text === '' || begun.length < 2) return text === '' ? undefined : begun[0];
  const labels = begun.map(({ label }) => `"${label}"`).join(', ');
  return {
    kind: 'unclear',
    message: `"${text}" matches ${labels}. Type more of the name, or its number.`,
  };
}

/** Catches a typing mistake, which cannot be undone once an agent acts on it. */
function nearMiss(options: Option[], text: string): Reply | undefined {
  const meant = options.find(({ label }) => !endsInBlank(label) && isTypoOf(text, label));
  return (
    meant && {
      kind: 'unclear',
      message: `"${text}" is not one of the options. Did you mean "${meant.label}"? To answer with the text itself, type =${text}.`,
    }
  );
}

function several(question: Question, options: Option[], text: string): Reply {
  const numbers = text.split(/[\s,;]+/).filter(Boolean);
  if (numbers.every((number) => /^\d+$/.test(number))) return byNumbers(question, options, numbers);
  const whole = optionNamed(options, text);
  if (whole) return answer(question, [whole.label]);
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  const meant = parts.map((part) =>
    /^\d+$/.test(part) ? optionAt(options, part) : matchingOption(options, part),
  );
  const unclear = meant.find((each) => each && 'kind' in each);
  if (unclear && 'kind' in unclear) return unclear;
  const picks = meant.map((each) => (each && 'label' in each ? each : undefined));
  for (const [index, part] of parts.entries()) {
    const slip = picks[index] ? undefined : nearMiss(options, part);
    if (slip) return slip;
  }
  if (picks.every((pick) => pick === undefined)) return answer(question, [text]);
  return answer(
    question,
    parts.map((part, index) => picks[index]?.label ?? part),
  );
}

function byNumbers(question: Question, options: Option[], numbers: string[]): Reply {
  const picks = numbers.map((number) => optionAt(options, number));
  const missing = numbers.find((_, index) => picks[index] === undefined);
  if (missing !== undefined) {
    const message = `Option ${missing} does not exist. Choose 1 to ${options.length}. To answer with the text itself, type =${missing}.`;
    return { kind: 'unclear', message };
  }
  return answer(
    question,
    picks.flatMap((pick) => pick?.label ?? []),
  );
}

const optionAt = (options: Option[], text: string) =>
  options.find(({ label }) => label === text) ?? options[Number(text) - 1];

function approval(question: Question, text: string): Reply {
  if (text.toLowerCase() === 'skip') return { kind: 'skip' };
  const said = text.toLowerCase();
  const id = ['y', 'yes', '1', 'approve', 'approved'].includes(said)
    ? 'approve'
    : ['n', 'no', '2', 'reject', 'rejected'].includes(said)
      ? 'reject'
      : undefined;
  const options = question.options ?? [];
  const option =
    id === undefined
      ? (optionNamed(options, text) ?? options[Number(text) - 1])
      : options.find((o) => o.id === id);
  if (option) return answer(question, [option.label]);
  return { kind: 'unclear', message: `Answer with ${approvalWords(question)}.` };
}

/** A human gate accepts only one of its options. */
function decision(question: Question, options: Option[], text: string): Reply {
  const picked = /^\d+$/.test(text)
    ? (optionNamed(options, text) ?? options[Number(text) - 1])
    : matchingOption(options, text);
  if (picked && 'kind' in picked) return picked;
  if (picked) return answer(question, [picked.label]);
  return { kind: 'unclear', message: `Answer with ${options.map(({ label }) => label).join(' or ')}.` };
}

function answer(question: Question, values: string[]): Reply {
  return { kind: 'answer', answer: question.multi ? [...new Set(values)] : (values[0] ?? '') };
}
