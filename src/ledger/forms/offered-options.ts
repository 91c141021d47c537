import { endsInBlank } from '../../schema/blank.ts';
import type { Option, Question } from '../../schema/question.ts';

/** The limits of Claude's AskUserQuestion, which many parent processes use to show a question. */
const [MIN, MAX] = [2, 4];

export interface Offered {
  /** Two to four, each a complete answer that can be sent back unchanged; none if the question is free text. */
  offered: Option[];
  /** Other answers that are accepted. */
  left: Option[];
}

/**
 * The options that a program shows to its person for us. One with a blank cannot be picked there, because nobody would
 * fill it in. Recommended options are always included.
 */
export function offeredOptions({ options = [], recommended = [] }: Question): Offered {
  const whole = distinct(options.filter(({ label }) => !endsInBlank(label)));
  if (whole.length < MIN) return { offered: [], left: whole };
  const liked = whole.filter(({ label }) => [recommended].flat().includes(label));
  const first = new Set(distinct([...liked, ...whole]).slice(0, MAX));
  return {
    offered: whole.filter((option) => first.has(option)),
    left: whole.filter((option) => !first.has(option)),
  };
}

/** The question with those options only; its context names the rest. */
export function asOffered(question: Question): Question {
  const { offered, left } = offeredOptions(question);
  const { options, context, ...rest } = question;
  const known = [context, moreOptions(left)].filter(Boolean).join('\n');
  return {
    ...rest,
    ...(offered.length > 0 ? { options: offered } : {}),
    ...(known === '' ? {} : { context: known }),
  };
}

function moreOptions(left: readonly Option[]): string {
  return left.length === 0 ? '' : `Also possible: ${left.map(({ label }) => label).join(' · ')}`;
}

function distinct(options: readonly Option[]): Option[] {
  return options.filter(({ label }, at) => options.findIndex((other) => other.label === label) === at);
}
