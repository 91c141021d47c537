import type { PlannedQuestion } from '../../issues/gaps/plan-questions.ts';
import { cmd } from '../../schema/command-line.ts';
import type { Answer } from '../../schema/question.ts';

/** How a question about issues was resolved: a person's answer, an earlier one, or an assumption. */
type Resolution =
  | { kind: 'answered'; answer: Answer; note?: string; by: string; at: string; notification: string }
  | { kind: 'decided'; answer: Answer; by: string; at: string; decision: string; notification: string }
  | { kind: 'assumed'; reason: string; notification?: string };

export interface ResolvedQuestion {
  question: PlannedQuestion;
  resolution: Resolution;
}

type Of<Kind extends Resolution['kind']> = ResolvedQuestion & {
  resolution: Extract<Resolution, { kind: Kind }>;
};

/** The questions that a person has answered, now or before. */
export const withAnswer = (resolved: readonly ResolvedQuestion[]) =>
  resolved.filter((each): each is Of<'answered' | 'decided'> => each.resolution.kind !== 'assumed');

export const assumed = (resolved: readonly ResolvedQuestion[]) =>
  resolved.filter((each): each is Of<'assumed'> => each.resolution.kind === 'assumed');

export const answerText = (answer: Answer) => [answer].flat().join(', ');

/** An earlier answer in one line, with the id that a person needs to change it. */
export const earlierAnswer = (question: PlannedQuestion, answer: string, notificationId: string) =>
  `${question.question} → ${answer} (${notificationId})`;

export const howToChange = () => `To change one of these answers: ${cmd`amend ID VALUE`}`;
