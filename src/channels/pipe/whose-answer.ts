import type { QAAnswer } from '../../schema/qa.ts';
import type { PipeItem } from './pipe-question.ts';

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
export type Named = Partial<Pick<QAAnswer, 'id' | 'gap_type'>>;

export type Match =
  /** For a question that was written to the pipe. */
  | { kind: 'written'; of: OnPipe }
  /** For a question that is still to come. */
  | { kind: 'ahead'; of: OnPipe }
  | { kind: 'refused'; why: string };

/**
 * Whose answer a line is. Without an id, it is taken only if it can be for just one question, because a person who is
 * slow answers a question that the pipe no longer waits for (decision 0060).
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
