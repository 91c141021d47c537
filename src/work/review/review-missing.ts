import type { PhaseRecord } from '../../schema/phase-record.ts';

/** Whether the steps that an agent follows want its work to be reviewed, by whichever of our names. */
export const wantsReview = (protocol: string) =>
  /\b(?:fermata|envoy|debussy|rslph) (?:gemini )?review\b/.test(protocol);

/**
 * Why the work since `sentOutAt` does not count as reviewed; undefined if it does. `content` is a hash of what is to be
 * merged, if that is known: a review is about what the reviewer saw.
 */
export function reviewMissing(
  records: readonly PhaseRecord[],
  sentOutAt: string,
  content?: string,
): string | undefined {
  const last = records.findLast((each) => each.kind === 'review');
  if (!last) return 'Nobody has reviewed it.';
  const seen = last.data.content;
  const isOther = content !== undefined && seen !== undefined && seen !== content;
  if (last.at < sentOutAt || isOther) return 'It changed after its last review.';
  return last.data.verdict === 'passed' ? undefined : 'Its last review asked for changes.';
}
