import { blankIn, optionNamed } from '../../ledger/named-option.ts';
import { QAAnswer } from '../../schema/qa.ts';
import type { Answer, Option } from '../../schema/question.ts';

/** What a parent process said to a question. */
export type PipeReply = { kind: 'answer'; answer: Answer } | { kind: 'skip' };

const SHOWN = 100;

/** Reads a line from the parent; what cannot be used is named, for stderr. */
export function readAnswerLine(line: string): QAAnswer | { problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { problem: `The answer is no JSON: ${line.slice(0, SHOWN)}` };
  }
  const result = QAAnswer.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') || 'the line';
  return { problem: `The answer has the wrong form (${field}: ${issue?.message}).` };
}

/** What an answer means for the question that it belongs to. An option may be named in any case. */
export function replyOf(
  question: { options: string[]; multi?: boolean | undefined },
  { answer }: QAAnswer,
): PipeReply | { problem: string } {
  const values = [answer].flat().map((value) => value.trim());
  if (values.length === 1 && values[0]?.toLowerCase() === 'skip') return { kind: 'skip' };
  if (values.some((value) => value === '')) return { problem: 'The answer is empty; "skip" skips.' };
  if (values.length > 1 && !question.multi) {
    return { problem: `The question takes one answer, but ${values.length} came.` };
  }
  const options: Option[] = question.options.map((label) => ({ label }));
  const blank = blankIn(options, values);
  if (blank) return { problem: blank.message };
  const named = values.map((value) => optionNamed(options, value)?.label ?? value);
  return { kind: 'answer', answer: question.multi ? [...new Set(named)] : (named[0] ?? '') };
}
