/** Entries whose title has all words of the query. */
export function search(entries, query) {
  return entries.filter(({ title }) => query.split(' ').every((word) => title.includes(word)));
}
