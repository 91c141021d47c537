import { stem } from './stem.ts';

/** The words of a text as the search compares them: folded and stemmed, identifiers and compounds in both forms. */
export function termsOf(text: string): string[] {
  const folded = fold(text);
  return allWords(folded).map(stem);
}

/** The words of a text in lower case, including those that a tokenizer misses. */
export const allWords = (text: string): string[] =>
  [...writtenWords(text), ...hiddenWords(text)].map((word) => word.toLowerCase());

/** What a tokenizer misses: `idleTimeout` contains idle and timeout, and `fail-over` is also written failover. */
export function hiddenWords(text: string): string[] {
  const parts = writtenWords(text)
    .filter((word) => /\p{Ll}\p{Lu}/u.test(word))
    .flatMap((word) => word.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u));
  const compounds = text.matchAll(/(?<![\p{L}\p{N}-])(\p{L}{2,20})-(\p{L}{2,20})(?![\p{L}\p{N}-])/gu);
  return [...parts, ...Array.from(compounds, ([, before, after]) => `${before}${after}`)];
}

const writtenWords = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Without accents, as in the index. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');
