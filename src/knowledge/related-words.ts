import { stem } from './stem.ts';
import { SYNONYMS } from './synonyms.ts';

/** Finds synonyms of a word. */
export type Thesaurus = (word: string) => string[];

/** Our table of synonyms together with the project's own groups. */
export function thesaurus(own: readonly (readonly string[])[] = []): Thesaurus {
  const table = [
    ...own,
    ...SYNONYMS.trim()
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
