import type { Plan, TextSpan } from '../grammar/plan.ts';
import type { Surroundings } from './surroundings.ts';

export type Severity = 'error' | 'warning';

/** What an audit found, as everybody gets it. */
export interface Issue {
  severity: Severity;
  code: string;
  message: string;
  /** Relative to the plan's folder. */
  file: string;
  line: number;
  column: number;
  suggestion: string;
}

/** What a rule found: where, and a sentence about it. */
export interface Finding {
  message: string;
  suggestion: string;
  file: string;
  span: TextSpan;
}

/** One check. Its code is for ever: people filter by it. */
export interface Rule {
  code: string;
  severity: Severity;
  /** What it finds, for the documentation. */
  summary: string;
  check(plan: Plan, surroundings: Surroundings): Iterable<Finding>;
}
