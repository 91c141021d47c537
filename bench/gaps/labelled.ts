import development from './development.json' with { type: 'json' };
import heldOut from './held-out.json' with { type: 'json' };

export interface LabelledIssue {
  issue: { number: number; title: string; body: string | null; labels: string[] };
  gaps: string[];
}

interface Label {
  issue: { number: number; title: string; body: string | null; labels: string[] };
  gaps: string[];
  pad?: { text: string; times: number };
}

const files = { development, 'held-out': heldOut };
export const halves = ['development', 'held-out'] as const;

/**
 * Issues written for this bench, with their justified gaps: what a competent engineer who knows the repository
 * would need to know to start. `pad` makes a long body out of a short one.
 */
export function labelled(half: (typeof halves)[number]): LabelledIssue[] {
  return (files[half] as Label[]).map(({ issue, gaps, pad }) => ({
    issue: pad ? { ...issue, body: `${issue.body}${pad.text.repeat(pad.times)}` } : issue,
    gaps,
  }));
}

/** How well found gaps match the justified ones. */
export function compare(pairs: readonly { found: readonly string[]; justified: readonly string[] }[]) {
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
