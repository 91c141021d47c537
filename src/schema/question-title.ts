import type { Question } from './question.ts';
import { verbatimLines } from './verbatim.ts';

const MAX_LENGTH = 120;

/** A question in a few words, for lists, with the beginning of what to approve, if anything. */
export function questionTitle({ text, verbatim }: Pick<Question, 'text' | 'verbatim'>): string {
  const [first] = verbatim ?? [];
  if (!first) return text;
  const begin = verbatimLines(first.text.slice(0, MAX_LENGTH)).join(' ⏎ ');
  return `${text} ${begin}${first.text.length > MAX_LENGTH ? '…' : ''}`;
}
