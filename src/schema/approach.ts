import * as z from 'zod';
import { limits } from './limits.ts';

/** `rejected` by a person; `archived` once a person approved the plan based on it. */
export const ApproachState = z.enum(['active', 'rejected', 'archived']);
export type ApproachState = z.infer<typeof ApproachState>;

/** One way to do something, found by a specialist before there is a plan. */
export const Approach = z.object({
  agent: z.string(),
  number: z.number().int(),
  /** Null if it is the only approach with its number. */
  variant: z.string().nullable(),
  description: z.string(),
  context: z.string(),
  files: z.array(z.string()),
  /** The notification with its open questions. */
  notificationId: z.string().nullable(),
  /** What the person wants changed. */
  pendingRefinement: z.string().nullable(),
  state: ApproachState,
  updatedAt: z.string(),
});
export type Approach = z.infer<typeof Approach>;

export const ApproachInput = z.strictObject({
  projectId: z.string(),
  /** The feature that it is about. */
  scope: z.string().min(1).max(1000),
  agent: z
    .string()
    .max(100)
    .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'use letters, digits, _ and - for the name of a specialist'),
  number: z.number().int().min(1).max(9999),
  variant: z
    .string()
    .regex(/^[A-Z]$/, 'use one letter for a variant')
    .nullable(),
  description: z.string().trim().min(1).max(limits.questionText),
  context: z.string().trim().min(1).max(limits.context),
  files: z.array(z.string().min(1).max(4096)).max(1000),
  notificationId: z.string().max(limits.id).nullable(),
});
export type ApproachInput = z.infer<typeof ApproachInput>;
