import type { PhaseRecord, SkippedStep } from '../../schema/phase-record.ts';
import { reviewMissing, wantsReview } from '../review/review-missing.ts';

/** What is known of a phase that is about to be closed. */
export interface FinishedPhase {
  /** The steps that its agent was given. */
  protocol: string;
  records: readonly PhaseRecord[];
  /** When its last agent was sent out. */
  sentOutAt: string;
  /** Where its notes belong, and whether they are there; undefined if it has none to write. */
  notes: { path: string; written: boolean } | undefined;
}

/** The steps of a phase that were skipped, for the report at the end of the run. */
export function skippedSteps({ protocol, records, sentOutAt, notes }: FinishedPhase): SkippedStep[] {
  const review = wantsReview(protocol) ? reviewMissing(records, sentOutAt) : undefined;
  return [
    ...(review ? [{ step: 'review' as const, reason: review }] : []),
    ...(notes && !notes.written
      ? [{ step: 'notes' as const, reason: `The agent did not write ${notes.path}.` }]
      : []),
  ];
}
