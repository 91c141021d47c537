import * as z from 'zod';
import type { Plan, TextSpan } from '../grammar/plan.ts';
import type { Surroundings } from './surroundings.ts';

const Severity = z.enum(['error', 'warning']);
export type Severity = z.infer<typeof Severity>;

/** What an audit found, in its public format. */
export const Issue = z.object({
  severity: Severity,
  code: z.string(),
  message: z.string(),
  /** Relative to the plan's folder. */
  file: z.string(),
  line: z.number(),
  column: z.number(),
  suggestion: z.string(),
});
export type Issue = z.infer<typeof Issue>;

/** What a rule found: the place, and a sentence about it. */
export interface Finding {
  message: string;
  suggestion: string;
  file: string;
  span: TextSpan;
}

/** One check. Its code never changes, because people filter by it. */
export interface Rule {
  code: string;
  severity: Severity;
  /** What it finds, for the documentation. */
  summary: string;
  check(plan: Plan, surroundings: Surroundings): Iterable<Finding>;
}
