import * as z from 'zod';
import { By } from './actor.ts';
import { Source } from './notification.ts';
import { Answer } from './question.ts';

/** One answer of a person, kept so that the same question need not be thought through twice. */
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
  /** The person allowed it to answer the same question by itself from now on. */
  standing: z.boolean(),
  /** The decision that a person put in its place. Null: it is current, which is all that still counts. */
  replacedBy: z.string().nullable(),
});
export type Decision = z.infer<typeof Decision>;
