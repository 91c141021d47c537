import type { Passage } from './split-passages.ts';
import { termsOf } from './terms.ts';

/** A word of the phrase, with the terms that match it. */
export interface SearchTerm {
  /** Its weight relative to the other words. */
  share: number;
  /** The weight of each term: how well it matches the word, and how rare it is. */
  worth: ReadonlyMap<string, number>;
  /** The weight of longer terms that begin with this. */
  beginning?: { text: string; worth: number };
}

export interface Candidate extends Passage {
  id: number;
  path: string;
}

export interface Ranked {
  id: number;
  score: number;
  /** The distinct terms of its body. */
  terms: ReadonlySet<string>;
}

/** How often a term in the last part of the heading counts. */
const HEADING = 5;
/** BM25: how soon repetitions of a term stop counting, and how much a long passage is penalized. */
const SATURATION = 1.2;
const LENGTH = 0.6;
/** How much of a score depends on how many of the phrase's words a passage has. */
const COVERAGE = 0.7;

/** Ranks passages, the best first (BM25F). For each word, only the best of its terms counts. */
export function rank(sought: readonly SearchTerm[], candidates: readonly Candidate[]): Ranked[] {
  const all = candidates.map((candidate) => ({ id: candidate.id, ...fieldsOf(candidate) }));
  const average = all.reduce((sum, { body }) => sum + body.length, 0) / all.length;
  const own = sought.filter(({ share }) => share === 1).length;
  return all
    .map(({ id, body, counts }) => {
      const fading = SATURATION * (1 - LENGTH + (LENGTH * body.length) / average);
      const scores = sought.map((each) => each.share * bestOf(each, counts, fading));
      const covered = scores.filter((score, index) => score > 0 && sought[index]?.share === 1).length;
      const sum = scores.reduce((total, score) => total + score, 0);
      return { id, score: sum * (1 - COVERAGE + (COVERAGE * covered) / own), terms: new Set(body) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.id - b.id);
}

function fieldsOf({ title, heading, path, text }: Candidate) {
  const body = termsOf(text);
  const headings = heading.split(' › ');
  const above = [title, ...headings.slice(0, -1), path.replace(/\.\w+$/, '')].join(' ');
  const counts = new Map<string, number>();
  const count = (terms: string[], weight: number) => {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weight);
  };
  count(body, 1);
  count(termsOf(headings.at(-1) ?? ''), HEADING);
  count(termsOf(above), 1);
  return { body, counts };
}

function bestOf(
  { worth, beginning }: SearchTerm,
  counts: ReadonlyMap<string, number>,
  fading: number,
): number {
  let best = 0;
  const consider = (count: number, value: number) => {
    best = Math.max(best, (value * count * (SATURATION + 1)) / (count + fading));
  };
  for (const [term, value] of worth) {
    const count = counts.get(term);
    if (count) consider(count, value);
  }
  if (beginning) {
    for (const [term, count] of counts) if (term.startsWith(beginning.text)) consider(count, beginning.worth);
  }
  return best;
}
