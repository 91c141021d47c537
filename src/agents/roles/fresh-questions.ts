import { questionKey } from '../../ledger/notifications/questions.ts';
import type { Question } from '../../schema/question.ts';

const confirmation =
  /\b(?:are|is) (?:you|this|that) (?:really |absolutely |quite )?(?:sure|certain|correct|right|intended)\b|\bdo you (?:really|still) want\b|\b(?:can|could|please|do) you confirm\b|\bplease confirm\b|\b(?:shall|should|may) (?:i|we) (?:really )?(?:proceed|go ahead|continue)\b/i;

/** Whether a question only asks for confirmation. */
export const isConfirmation = ({ text }: Pick<Question, 'text'>) => confirmation.test(text);

/** The new questions in `asked`: nobody is asked twice in one cycle, and "are you sure?" comes at most once. */
export function freshQuestions(asked: Question[], before: Question[]): Question[] {
  const known = new Set(before.map(keyOf));
  let confirmations = before.filter(isConfirmation).length;
  return asked.filter((question) => {
    const key = keyOf(question);
    if (known.has(key)) return false;
    known.add(key);
    if (!isConfirmation(question)) return true;
    confirmations += 1;
    return confirmations === 1;
  });
}

/** Different options do not make it a different question. */
const keyOf = ({ text }: Question) => questionKey({ text });
