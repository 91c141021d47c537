import * as z from 'zod';
import { blankIn, optionNamed } from '../../ledger/notifications/named-option.ts';
import { GapType, QAAnswer } from '../../schema/qa.ts';
import type { Answer, Option } from '../../schema/question.ts';
import { ACCEPT, asksForHelp } from '../reply.ts';
import type { PipeQuestion } from './pipe-question.ts';
import type { Named } from './whose-answer.ts';

/** A parent process's reply to a question. */
export type PipeReply = { kind: 'answer'; answer: Answer } | { kind: 'skip' } | { kind: 'accept' };

/** A line that is not an answer: why not, and which question it names if that can be read. */
export type Unusable = Named & { problem: string };

const Nameable = z.object({
  id: QAAnswer.shape.id.catch(undefined),
  gap_type: GapType.optional().catch(undefined),
});

const SHOWN = 100;

/** Reads a line from the parent. */
export function readAnswerLine(line: string): QAAnswer | Unusable {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { problem: `The answer is not valid JSON: ${line.slice(0, SHOWN)}` };
  }
  const result = QAAnswer.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') || 'the line';
  return {
    problem: `The answer is invalid (${field}: ${issue?.message}).`,
    ...Nameable.safeParse(value).data,
  };
}

/**
 * What an answer means for its question. Options are matched in any case. `help` is for a person who typed `?`; the
 * question keeps waiting.
 */
export function replyOf(
  asked: Pick<PipeQuestion, 'options' | 'multi' | 'proposal'>,
  { answer }: QAAnswer,
): PipeReply | { problem: string } | { help: string } {
  const values = [answer].flat().map((value) => value.trim());
  const isOnly = (word: string) => values.length === 1 && values[0]?.toLowerCase() === word;
  const own = values.filter((value) => !asked.options.includes(value));
  if (own.some(asksForHelp)) return { help: howToAnswer(asked) };
  if (own.length > 0 && isOnly('skip')) return { kind: 'skip' };
  if (own.length > 0 && isOnly(ACCEPT) && asked.proposal !== undefined) return { kind: 'accept' };
  if (values.some((value) => value === ''))
    return { problem: 'The answer is empty. Send "skip" to skip the question.' };
  if (values.length > 1 && !asked.multi) {
    return { problem: `This question takes one answer, but there are ${values.length}.` };
  }
  const options: Option[] = asked.options.map((label) => ({ label }));
  const blank = blankIn(options, values);
  if (blank) return { problem: blank.message };
  const named = values.map((value) => optionNamed(options, value)?.label ?? value);
  return { kind: 'answer', answer: asked.multi ? [...new Set(named)] : (named[0] ?? '') };
}

function howToAnswer({ options, multi, proposal }: Parameters<typeof replyOf>[0]): string {
  const ways = [
    ...(options.length > 0 ? [`${multi ? 'one or more' : 'one'} of: ${options.join(', ')}`] : []),
    'your own words',
    '"skip"',
    ...(proposal === undefined ? [] : [`"${ACCEPT}" to accept: ${proposal}`]),
  ];
  return `You can answer with ${ways.join('; ')}`;
}
