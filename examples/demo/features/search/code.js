/** Entries whose title has all words of the query, whatever their case. */
export function search(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
}
