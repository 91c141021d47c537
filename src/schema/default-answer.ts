import type { Answer } from './question.ts';

/**
 * What a default policy answers to a question. Only own keys count, because the id may be the name of a property that
 * every object has.
 */
export function defaultAnswer(answers: Record<string, Answer>, questionId: string): Answer | undefined {
  return Object.hasOwn(answers, questionId) ? answers[questionId] : undefined;
}
