import type { GapType, Severity } from '../../schema/qa.ts';

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
  evidence: Evidence[];
  /** The words that the question quotes. */
  quote?: string;
  /** What the text names to choose from. */
  alternatives?: string[];
}

type Cause =
  | 'no_outcome'
  | 'open_question'
  | 'no_reproduction'
  | 'no_check'
  | 'open_choice'
  | 'other_work'
  | 'unbounded'
  | 'no_problem'
  | 'said_elsewhere';

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

/** What was found in an issue's text. The first group counts for the issue, the second against it. */
export type EvidenceKind =
  | 'checklist'
  | 'criteria'
  | 'scenario'
  | 'expected'
  | 'actual'
  | 'proposal'
  | 'list'
  | 'table'
  | 'code'
  | 'diff'
  | 'behaviour'
  | 'measure'
  | 'example'
  | 'target'
  | 'reference'
  | 'story'
  | 'reason'
  | 'reproduction'
  | 'steps'
  | 'stack_trace'
  | 'error'
  | 'trigger'
  | 'contrast'
  | 'playground'
  | 'picture'
  | 'location'
  | 'test_plan'
  | 'description'
  | 'title'
  | 'linked_issue'
  | 'clarified'
  | 'repository'
  | 'open_choice'
  | 'open_question'
  | 'other_work'
  | 'elsewhere'
  | 'unsteady'
  | 'unbounded'
  | 'universal'
  | 'empty_section'
  | 'title_only'
  | 'not_found';

export interface Evidence {
  kind: EvidenceKind;
  /** Which text the position belongs to. */
  in: 'title' | 'body' | 'comment';
  /** From 1. */
  line: number;
  column: number;
  /** The words that it is based on, cut. */
  text: string;
  /** Its strength, from 0 to 1. */
  weight: number;
}

export type IssueKind = 'bug' | 'feature' | 'chore' | 'docs' | 'question';
