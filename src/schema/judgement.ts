import * as z from 'zod';
import { limits } from './limits.ts';
import { GapType } from './qa.ts';

/** One question that the Analyst would ask about an issue. */
export const JudgedGap = z.strictObject({
  type: GapType,
  /** All gaps that the answer closes, `type` among them. */
  covers: z.array(GapType).min(1),
  question: z.string().min(1).max(2000),
  why: z.string().max(2000),
  /** Word for word, from the issue or from the file that `place` names. */
  quote: z.string().min(1).max(2000),
  place: z.string().max(1000),
  options: z.array(z.string().min(1).max(limits.optionLabel)).max(4),
  recommended: z.string().optional(),
  /** Why it is recommended. */
  reason: z.string().max(2000).optional(),
  assumed: z.string().min(1).max(2000),
  /** How much of the work the answer changes: 1 to 3. */
  weight: z.number().int().min(1).max(3),
});
export type JudgedGap = z.infer<typeof JudgedGap>;

/** What the Analyst says about an issue. */
export const JudgedIssue = z.strictObject({
  number: z.int().nonnegative(),
  /** Of what the Analyst read, so that a changed issue is judged again. */
  hash: z.string().max(64),
  gaps: z.array(JudgedGap).max(20),
  /** What the rules found and the Analyst does not want asked. */
  dropped: z.array(z.strictObject({ type: GapType, reason: z.string().min(1).max(2000) })).max(10),
});
export type JudgedIssue = z.infer<typeof JudgedIssue>;
