import * as z from 'zod';
import { By } from './actor.ts';
import { Source } from './notification.ts';
import { Answer } from './question.ts';

/** A person's answer, kept so that nobody has to think about the same question twice. */
export const Decision = z.object({
  id: z.string(),
  projectId: z.string(),
  question: z.string(),
  answer: Answer,
  note: z.string().nullable(),
  source: Source,
  sourceId: z.string(),
  notificationId: z.string(),
  by: By,
  at: z.string(),
  /** Whether the person lets it answer the same question automatically. */
  standing: z.boolean(),
  /** The decision that replaced it. Null: it is current; only current decisions apply. */
  replacedBy: z.string().nullable(),
});
export type Decision = z.infer<typeof Decision>;
