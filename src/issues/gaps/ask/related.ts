import type { Issue } from '../../issue.ts';
import { contentWords } from '../text/content.ts';

/** The issues whose titles share at least two significant words with a text, in their order. */
export type Related = (text: string) => Issue[];

/** Looks titles up by word, so that a question about each of many issues does not read all titles again. */
export function relatedAmong(issues: readonly Issue[]): Related {
  const byWord = new Map<string, number[]>();
  issues.forEach(({ title }, index) => {
    for (const word of contentWords(title)) {
      const known = byWord.get(word);
      if (known) known.push(index);
      else byWord.set(word, [index]);
    }
  });
  return (text) => {
    const shared = new Map<number, number>();
    for (const word of contentWords(text))
      for (const index of byWord.get(word) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
    return [...shared]
      .filter(([, words]) => words >= 2)
      .sort(([a], [b]) => a - b)
      .flatMap(([index]) => issues[index] ?? []);
  };
}
