import type { Notification, ResponseInput } from '../schema/notification.ts';

/** What a human gate asks for the case that something has to change. */
const forChanges = new Set(['refinements', 'changes', 'logs']);

/** Where nothing has to change, nobody is asked what. */
export function isMoot(questionId: string, said: readonly ResponseInput[]): boolean {
  return forChanges.has(questionId) && (says(said, 'passed') || says(said, 'approved'));
}

/** The place for it is left empty, and there is no other one after it. */
export function mustSay(of: Notification, questionId: string, said: readonly ResponseInput[]): boolean {
  const isPlace = of.gate?.kind === 'plan' ? questionId === 'changes' : questionId === 'refinements';
  return isPlace && lacksWords(said);
}

/** An agent that hears only that something has to change could only guess what. */
export function lacksWords(said: readonly ResponseInput[]): boolean {
  return says(said, 'changes') && said.filter((response) => 'answer' in response).length === 1;
}

function says(said: readonly ResponseInput[], decision: string): boolean {
  return said.some((response) => 'answer' in response && response.answer === decision);
}
