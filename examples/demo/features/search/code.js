import { emptyFindsAll } from './empty-query.js';

/** Entries whose title has all words of the query, whatever their case. */
export function search(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return emptyFindsAll ? entries : [];
  return entries.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
}
