import type { PhaseRecord } from '../../schema/phase-record.ts';
import { covers } from '../../schema/seen-content.ts';

/** Whether the agent's protocol requires a review, under any of our program names. */
export const wantsReview = (protocol: string) =>
  /\b(?:fermata|envoy|debussy|rslph) (?:gemini )?review\b/.test(protocol);

/**
 * Why the work since `startedAt` does not count as reviewed; undefined if it does. `content` is a hash of what is to be
 * merged, if known, because a review covers only what the reviewer saw.
 */
export function reviewMissing(
  records: readonly PhaseRecord[],
  startedAt: string,
  content?: string,
): string | undefined {
  const last = records.findLast((each) => each.kind === 'review');
  if (!last) return 'Nobody has reviewed the work.';
  const seen = last.data.content;
  const isOther = content !== undefined && seen !== undefined && !covers(seen, content);
  if (last.at < startedAt || isOther) return 'The work changed after its last review.';
  return last.data.verdict === 'passed' ? undefined : 'The last review asked for changes.';
}
