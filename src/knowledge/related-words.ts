import { stem } from './stem.ts';
import synonyms from './synonyms.txt';

/** Finds synonyms of a word. */
export type Thesaurus = (word: string) => string[];

/**
 * Our table of synonyms, one group of words per line, together with the project's own groups. A word may be in several
 * groups.
 */
export function thesaurus(own: readonly (readonly string[])[] = []): Thesaurus {
  const table = [
    ...own,
    ...synonyms
      .trim()
      .split('\n')
      .map((line) => line.split(' ')),
  ];
  const groups = new Map<string, string[]>();
  for (const group of table) {
    const words = group.map((word) => word.toLowerCase());
    for (const stemmed of new Set(words.map(stem)))
      groups.set(stemmed, [...(groups.get(stemmed) ?? []), ...words]);
  }
  return (word) => {
    const others = (groups.get(stem(word)) ?? []).filter((other) => stem(other) !== stem(word));
    return [...new Set(others)];
  };
}
