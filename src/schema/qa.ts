import * as z from 'zod';
import { limits } from './limits.ts';
import { Answer, Verbatim } from './question.ts';

/** What an issue lacks. */
export const GapType = z.enum([
  'acceptance_criteria',
  'validation',
  'tech_stack',
  'dependencies',
  'scope',
  'context',
  'general',
]);
export type GapType = z.infer<typeof GapType>;

export const Severity = z.enum(['critical', 'warning']);
export type Severity = z.infer<typeof Severity>;

/** One line on stdout in pipe mode: a question to the parent process. The first five fields are the protocol's own. */
export const QAQuestion = z.object({
  type: z.literal('question').default('question'),
  gap_type: GapType.default('general'),
  question: z.string().min(1),
  options: z.array(z.string()).default([]),
  context: z.string().default(''),
  id: z.string().optional(),
  issue: z.number().int().optional(),
  severity: Severity.optional(),
  /** What to approve, byte for byte; `context` has it in a readable form. */
  verbatim: z.array(Verbatim).optional(),
  multi: z.boolean().optional(),
  recommended: Answer.optional(),
  /** What the agent proposes to do if nobody answers; the answer `+` accepts it. */
  proposal: z.string().optional(),
  /** How many seconds Fermata waits for the answer. */
  timeout: z.number().optional(),
});
export type QAQuestion = z.infer<typeof QAQuestion>;

/** One line on stdin in pipe mode: the parent's answer. `skip` in any case skips. */
export const QAAnswer = z.object({
  type: z.literal('answer').default('answer'),
  gap_type: GapType,
  answer: z.union([
    z.string().max(limits.answer),
    z.array(z.string().max(limits.answer)).min(1).max(limits.options),
  ]),
  id: z.string().max(limits.id).optional(),
});
export type QAAnswer = z.infer<typeof QAAnswer>;
