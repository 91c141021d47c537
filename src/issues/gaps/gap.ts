import type { GapType, Severity } from '../../schema/qa.ts';
import type { Place } from './read-issue.ts';

/** Without these two, nobody can tell whether the work is done. */
export function severityOf(type: GapType): Severity {
  return type === 'acceptance_criteria' || type === 'validation' ? 'critical' : 'warning';
}

/** What an issue leaves open, before it is worded as a question. */
export interface Finding {
  type: GapType;
  /** The cause decides the wording and options of the question. */
  cause: Cause;
  /** How sure we are that the answer is not in the text, from 0 to 1. */
  uncertainty: number;
  /** What speaks for the gap. */
  evidence: Evidence[];
  /** Why we ask, in the words of the rules. */
  reasons: string[];
  /** The words that the questions quote: one question for each. */
  quotes: string[];
  /** What the text names to choose from. */
  alternatives: string[];
}

export type Cause =
  | 'no_outcome'
  | 'no_target'
  | 'no_reproduction'
  | 'no_check'
  | 'unbounded'
  | 'undecided'
  | 'open_question'
  | 'open_choice'
  | 'other_work'
  | 'no_problem';

/** The names of gaps for people. */
export const gapLabels: Record<GapType, string> = {
  acceptance_criteria: 'Acceptance Criteria (done when)',
  validation: 'Testing / Validation',
  tech_stack: 'Tech Stack',
  dependencies: 'Depends on / Blocked by',
  scope: 'Scope / Requirements',
  context: 'Problem Context',
  general: 'Details',
};

/** What a rule found in an issue's text. */
export interface Evidence extends Place {
  /** The name of the rule. */
  kind: string;
  /** Its strength, from 0 to 1. */
  weight: number;
}

export type IssueKind = 'bug' | 'feature' | 'chore' | 'docs' | 'question';
