import { endsInBlank } from '../../schema/blank.ts';
import type { Option, Question } from '../../schema/question.ts';

/** As many as Claude's AskUserQuestion takes, by which many a parent process shows what it was asked. */
const [LEAST, MOST] = [2, 4];

export interface Offered {
  /** Two to four, each a whole answer that can be sent back as it is; none where the question is left to free text. */
  offered: Option[];
  /** Other answers that are taken as well. */
  left: Option[];
}

/**
 * The options that a program shows to its person for us. One with a blank cannot be picked there, because nobody would fill
 * it in. What is recommended is always among them.
 */
export function offeredOptions({ options = [], recommended = [] }: Question): Offered {
  const whole = distinct(options.filter(({ label }) => !endsInBlank(label)));
  if (whole.length < LEAST) return { offered: [], left: whole };
  const liked = whole.filter(({ label }) => [recommended].flat().includes(label));
  const first = new Set(distinct([...liked, ...whole]).slice(0, MOST));
  return {
    offered: whole.filter((option) => first.has(option)),
    left: whole.filter((option) => !first.has(option)),
  };
}

/** The question with those options only; the rest is named in its context. */
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
