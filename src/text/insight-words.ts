import type { AutonomyProposal } from '../schema/insights.ts';

/** "19 of 20 (95 %)" */
export const shareWords = ({ of, count }: { of: number; count: number }): string =>
  of === 0 ? 'none' : `${count} of ${of} (${Math.round((100 * count) / of)} %)`;

/** What the figures show and what to do about it; the surface says how. */
export function proposalWords({ category, because, of, count }: AutonomyProposal): string {
  return because === 'recommendation_taken'
    ? `For ${category} questions, you took the recommendation ${count} of ${of} times. Let agents proceed and notify you?`
    : `For ${category} questions that were settled without you, you corrected ${count} of ${of}. Ask you first?`;
}
