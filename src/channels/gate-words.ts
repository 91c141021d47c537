import type { Notification, ResponseInput } from '../schema/notification.ts';

/** The questions of a human gate that matter only if something has to change. */
const forChanges = new Set(['refinements', 'changes', 'logs']);

/** If nothing has to change, nobody is asked what. */
export function isIrrelevant(questionId: string, said: readonly ResponseInput[]): boolean {
  return forChanges.has(questionId) && (says(said, 'passed') || says(said, 'approved'));
}

/** The question must be answered if nothing was said yet about the changes and no later question asks for them. */
export function mustAnswer(of: Notification, questionId: string, said: readonly ResponseInput[]): boolean {
  const isPlace = of.gate?.kind === 'plan' ? questionId === 'changes' : questionId === 'refinements';
  return isPlace && lacksWords(said);
}

/** True if a person wants changes but does not say which, so that the agent would have to guess. */
export function lacksWords(said: readonly ResponseInput[]): boolean {
  return says(said, 'changes') && said.filter((response) => 'answer' in response).length === 1;
}

function says(said: readonly ResponseInput[], decision: string): boolean {
  return said.some((response) => 'answer' in response && response.answer === decision);
}
