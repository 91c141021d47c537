import type { PhaseRecord, SkippedStep } from '../../schema/phase-record.ts';
import { reviewMissing, wantsReview } from '../review/review-missing.ts';

/** What is known about a phase that is about to close. */
export interface FinishedPhase {
  /** The protocol that its agent followed. */
  protocol: string;
  records: readonly PhaseRecord[];
  /** When its last agent was started. */
  startedAt: string;
  /** Where its notes belong, and whether they are written; undefined if it needs none. */
  notes: { path: string; written: boolean } | undefined;
}

/** The steps of a phase that were skipped, for the report at the end of the run. */
export function skippedSteps({ protocol, records, startedAt, notes }: FinishedPhase): SkippedStep[] {
  const review = wantsReview(protocol) ? reviewMissing(records, startedAt) : undefined;
  return [
    ...(review ? [{ step: 'review' as const, reason: review }] : []),
    ...(notes && !notes.written
      ? [{ step: 'notes' as const, reason: `The agent did not write ${notes.path}.` }]
      : []),
  ];
}
