import type { Answer } from '../../schema/question.ts';

/** Agents mark a recommendation in the label itself. The label stays, and `recommended` has it too. */
export function markedAsRecommended(labels: readonly string[], multi: boolean): Answer | undefined {
  const marked = labels.map((label) => label.trim()).filter((label) => /\S\s*\(recommended\)$/i.test(label));
  const [first] = marked;
  if (first === undefined || (marked.length > 1 && !multi)) return undefined;
  return multi ? marked : first;
}
