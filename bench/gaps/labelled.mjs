import { readFileSync } from 'node:fs';

/**
 * Issues written for this bench, with their justified gaps: what a competent engineer who knows the repository
 * would need to know to start. `pad` makes a long body out of a short one.
 * @param {'development' | 'held-out'} half
 * @returns {{ issue: { number: number, title: string, body: string | null, labels: string[] }, gaps: string[] }[]}
 */
export function labelled(half) {
  const file = new URL(`./${half}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).map(({ issue, gaps, pad }) => ({
    issue: pad ? { ...issue, body: `${issue.body}${pad.text.repeat(pad.times)}` } : issue,
    gaps,
  }));
}

/**
 * How well found gaps match the justified ones.
 * @param {{ found: string[], justified: string[] }[]} pairs
 */
export function compare(pairs) {
  let right = 0;
  let questions = 0;
  let justified = 0;
  for (const pair of pairs) {
    right += pair.found.filter((gap) => pair.justified.includes(gap)).length;
    questions += pair.found.length;
    justified += pair.justified.length;
  }
  const complete = pairs.filter((pair) => pair.justified.length === 0);
  return {
    precision: questions === 0 ? 1 : right / questions,
    recall: justified === 0 ? 1 : right / justified,
    f1: questions + justified === 0 ? 1 : (2 * right) / (questions + justified),
    questions,
    justified,
    complete: complete.length,
    leftAlone: complete.filter((pair) => pair.found.length === 0).length,
  };
}
