import * as z from 'zod';
import { limits } from './limits.ts';

const IssueText = z.strictObject({
  number: z.int().nonnegative(),
  title: z.string().max(limits.taskTitle),
  /** As it was when the plan was made, with its comments. */
  text: z.string().max(limits.context),
});

const OriginQuestion = z.strictObject({
  question: z.string().max(limits.questionText),
  /** The issues that it is about. */
  issues: z.array(z.int().nonnegative()).max(1000),
  /** The notification that asked a person, now or before; null if nobody was asked. */
  notification: z.string().max(limits.id).nullable(),
  /** What the plan takes for granted while nobody has answered, and why. */
  assumed: z.string().max(limits.answer),
  reason: z.string().max(limits.reason),
});

/**
 * What a plan was made from: the issues with their texts, and every question about them, so that an agent can be told without
 * asking the tracker. It has no answers: those are read from the decisions each time, so a late or amended one takes effect
 * without changing the plan.
 */
export const MadeFrom = z.strictObject({
  /** The asker of the questions, named after the source of the issues. */
  asker: z.string().min(1).max(limits.id),
  issues: z.array(IssueText).max(1000),
  questions: z.array(OriginQuestion).max(10_000),
});
export type MadeFrom = z.infer<typeof MadeFrom>;
