import { isSlipOf } from '../config/near.ts';
import { blankIn, optionNamed } from '../ledger/named-option.ts';
import { endsInBlank, filledIn } from '../schema/blank.ts';
import type { Notification } from '../schema/notification.ts';
import type { Answer, Option, Question } from '../schema/question.ts';

/** What a person's line means as a reply to a question. */
export type Reply =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'skip' }
  | { kind: 'unclear'; message: string }
  /** An option that ends in a blank was picked: what belongs there has yet to be said. */
  | { kind: 'blank'; answer: Answer; label: string; message: string };

/**
 * Reads a line: the number, id or label of an option, several of them where allowed, `skip`, or free text.
 * An empty line takes the recommended answer; `=` before a text takes it literally.
 */
export function readReply(line: string, question: Question, source: Notification['source']): Reply {
  return withBlankSeen(question, readLine(line, question, source));
}

/** What a person says after an option with a blank was picked; nothing takes the pick back. */
export function fillBlank(begun: Extract<Reply, { kind: 'blank' }>, line: string, question: Question): Reply {
  if (line.trim() === '') return { kind: 'unclear', message: 'Pick again, or answer in your own words.' };
  const whole = filledIn(begun.label, line);
  const values = [begun.answer].flat().map((value) => (value === begun.label ? whole : value));
  return withBlankSeen(question, answer(question, values));
}

function withBlankSeen({ options = [] }: Question, reply: Reply): Reply {
  const blank = reply.kind === 'answer' ? blankIn(options, reply.answer) : undefined;
  return reply.kind === 'answer' && blank ? { kind: 'blank', answer: reply.answer, ...blank } : reply;
}

function readLine(line: string, question: Question, source: Notification['source']): Reply {
  const text = line.trim();
  if (source === 'approval') return approval(question, text);
  if (source === 'gate' && question.options) return decision(question, question.options, text);
  if (text === '' && source === 'gate') return { kind: 'skip' }; // a remark: nobody has to make one
  if (text === '') return recommended(question);
  if (text.startsWith('=') && text.length > 1) return answer(question, [text.slice(1).trim()]);
  if (text.toLowerCase() === 'skip' && !optionNamed(question.options ?? [], text)) return { kind: 'skip' };
  const options = question.options ?? [];
  if (options.length === 0) return answer(question, [text]);
  return question.multi ? several(question, options, text) : one(question, options, text);
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
  const named = optionNamed(options, text);
  return (named ? undefined : nearMiss(options, text)) ?? answer(question, [named?.label ?? text]);
}

/** A slip of the finger cannot be taken back once an agent goes on with it. */
function nearMiss(options: Option[], text: string): Reply | undefined {
  const meant = options.find(({ label }) => !endsInBlank(label) && isSlipOf(text, label));
  return (
    meant && {
      kind: 'unclear',
      message: `"${text}" is none of the options. Did you mean "${meant.label}"? To answer with the text itself, type =${text}.`,
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
  const picks = parts.map((part) =>
    /^\d+$/.test(part) ? options[Number(part) - 1] : optionNamed(options, part),
  );
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
  const missing = numbers.find((number) => options[Number(number) - 1] === undefined);
  if (missing !== undefined) {
    const message = `There is no option ${missing}; they go from 1 to ${options.length}. To answer with the text itself, type =${missing}.`;
    return { kind: 'unclear', message };
  }
  return answer(
    question,
    numbers.map((number) => options[Number(number) - 1]?.label ?? number),
  );
}

function approval(question: Question, text: string): Reply {
  if (text.toLowerCase() === 'skip') return { kind: 'skip' };
  const said = text.toLowerCase();
  const id = ['y', 'yes', '1', 'approve', 'approved'].includes(said)
    ? 'approve'
    : ['n', 'no', '2', 'reject', 'rejected'].includes(said)
      ? 'reject'
      : undefined;
  const option = question.options?.find((o) => o.id === id);
  return option
    ? answer(question, [option.label])
    : { kind: 'unclear', message: 'Answer with approve or reject.' };
}

/** A human gate is passed with one of its options or not at all. */
function decision(question: Question, options: Option[], text: string): Reply {
  const picked = optionNamed(options, text) ?? (/^\d+$/.test(text) ? options[Number(text) - 1] : undefined);
  if (picked) return answer(question, [picked.label]);
  return { kind: 'unclear', message: `Answer with ${options.map(({ label }) => label).join(' or ')}.` };
}

function answer(question: Question, values: string[]): Reply {
  return { kind: 'answer', answer: question.multi ? [...new Set(values)] : (values[0] ?? '') };
}
