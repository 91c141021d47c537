import * as z from 'zod';
import { blankIn, optionNamed } from '../../ledger/notifications/questions.ts';
import { GapType, QAAnswer } from '../../schema/qa.ts';
import type { Answer, Option } from '../../schema/question.ts';
import { ACCEPT, asksForHelp } from '../reply.ts';
import type { PipeItem, PipeQuestion } from './pipe-question.ts';

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

/** A question on the pipe, as far as it matters for whose answer a line is. */
export type PipeAsk = Pick<PipeItem, 'asked' | 'needsId'>;

export type OnPipe = PipeAsk & {
  /**
   * `left`: it stopped waiting without an answer from the parent (timed out, settled elsewhere, an unusable answer), so
   * that one may still come.
   */
  state: 'to come' | 'waiting' | 'answered' | 'left';
  /** An answer that came before the question was written. */
  early?: QAAnswer;
};

/** What a line says about the question that it is for, as far as the line can be read. */
type Named = Partial<Pick<QAAnswer, 'id' | 'gap_type'>>;

type Match =
  /** For a question that was written to the pipe. */
  | { kind: 'written'; of: OnPipe }
  /** For a question that is still to come. */
  | { kind: 'ahead'; of: OnPipe }
  | { kind: 'refused'; why: string };

/**
 * Whose answer a line is. Without an id, it is taken only if it can be for just one question, because a person who is
 * slow answers a question that the pipe no longer waits for: a late "Approve" would approve the next thing.
 */
export function whoseAnswer(known: readonly OnPipe[], { id, gap_type }: Named): Match {
  if (id !== undefined) {
    const of = known.find(({ asked }) => asked.id === id);
    return of ? found(of) : refused(`No question has the id "${id}".`);
  }
  const waiting = known.find(({ state }) => state === 'waiting');
  const type = gap_type ?? waiting?.asked.gap_type;
  const ambiguous = whyAmbiguous(known, { gap_type: type });
  if (ambiguous !== undefined) return refused(ambiguous);
  const isNext = ({ state, early }: OnPipe) => state === 'to come' && !early;
  const of = waiting ?? known.find((each) => each.asked.gap_type === type && isNext(each));
  if (!of || of.asked.gap_type !== type)
    return refused(`It has no id, and no question${type ? ` of type ${type}` : ''} is waiting.`);
  if (of.needsId) return refused('It has no id, and only an id can approve, reject or decide at a gate.');
  return found(of);
}

/** Why an answer could be for another question than the next one of its type; an early one becomes so later. */
export function whyAmbiguous(known: readonly OnPipe[], { id, gap_type }: Named): string | undefined {
  if (id !== undefined) return undefined;
  const left = known.find(({ asked, state }) => state === 'left' && asked.gap_type === gap_type);
  return left && `It has no id, and could be for ${left.asked.id}.`;
}

const found = (of: OnPipe): Match => ({ kind: of.state === 'to come' ? 'ahead' : 'written', of });
const refused = (why: string): Match => ({ kind: 'refused', why });
