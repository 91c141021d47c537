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
