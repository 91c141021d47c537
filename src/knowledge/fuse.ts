import type { Hit } from './search-index.ts';

/** From the literature on reciprocal rank fusion: how much a place further down still counts. */
const SMOOTHING = 60;

/** One ranking out of several, by the places of each passage in them; scores of different kinds do not compare. */
export function fuse(rankings: readonly Hit[][]): Hit[] {
  const found = new Map<number, Hit>();
  for (const ranking of rankings) {
    ranking.forEach((hit, place) => {
      const score = (found.get(hit.id)?.score ?? 0) + 1 / (SMOOTHING + place + 1);
      found.set(hit.id, { ...hit, score });
    });
  }
  return [...found.values()].sort((a, b) => b.score - a.score);
}
