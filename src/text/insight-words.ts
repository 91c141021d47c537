import type { AskedCount, AutonomyProposal, Insights } from '../schema/insights.ts';

/** "19 of 20 (95 %)" */
export const shareWords = ({ of, count }: { of: number; count: number }): string =>
  of === 0 ? 'none yet' : `${count} of ${of} (${Math.round((100 * count) / of)} %)`;

/** How many questions each asker asked in all weeks, most first. */
export function askedBy({ weeks }: Insights): AskedCount[] {
  const counts = new Map<string, AskedCount>();
  for (const { kind, asker, count } of weeks.flatMap(({ asked }) => asked)) {
    const key = `${kind} ${asker}`;
    counts.set(key, { kind, asker, count: (counts.get(key)?.count ?? 0) + count });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

/** What the figures show and what to do about it; the surface says how. */
export function proposalWords({ category, because, of, count }: AutonomyProposal): string {
  return because === 'recommendation_taken'
    ? `For ${category} questions, you took the recommendation ${count} of ${of} times. Let agents proceed and notify you?`
    : `For ${category} questions that were settled without you, you corrected ${count} of ${of}. Ask you first?`;
}
