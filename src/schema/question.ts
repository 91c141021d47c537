import * as z from 'zod';
import { limits } from './limits.ts';

export const Option = z.object({
  id: z.string().max(limits.id).optional(),
  label: z.string().min(1).max(limits.optionLabel),
  description: z.string().max(limits.optionDescription).optional(),
  preview: z.string().max(limits.optionPreview).optional(),
});
export type Option = z.infer<typeof Option>;

/** Which of the three autonomy levels applies to a question; without one, Fermata always asks. */
export const Category = z.enum(['scope', 'architecture', 'dependency']);
export type Category = z.infer<typeof Category>;

/** One value, or several if the question allows it. */
export const Answer = z.union(
  [
    z.string().min(1).max(limits.answer),
    z.array(z.string().min(1).max(limits.answer)).min(1).max(limits.options),
  ],
  { error: 'expected a string or a list of strings' },
);
export type Answer = z.infer<typeof Answer>;

/** The earlier answer to the same question; shown with it, never applied silently. */
export const EarlierDecision = z.object({
  decisionId: z.string(),
  answer: Answer,
  by: z.string(),
  at: z.string(),
});

/** What a person approves, byte for byte. It is shown in a fixed-width block and never read as prose. */
export const Verbatim = z.object({
  label: z.string().min(1).max(limits.header),
  text: z.string().max(limits.notificationBytes),
  /** Set if secrets were removed: the original length of the text, in characters. */
  redactedFrom: z.number().int().optional(),
});
export type Verbatim = z.infer<typeof Verbatim>;

export const Question = z.object({
  id: z.string().min(1).max(limits.id),
  text: z.string().min(1).max(limits.questionText),
  createdAt: z.string(),
  header: z.string().max(limits.header).optional(),
  options: z.array(Option).max(limits.options).optional(),
  multi: z.boolean().optional(),
  recommended: Answer.optional(),
  context: z.string().max(limits.context).optional(),
  verbatim: z.array(Verbatim).min(1).max(limits.verbatim).optional(),
  category: Category.optional(),
  earlier: EarlierDecision.optional(),
});
export type Question = z.infer<typeof Question>;
