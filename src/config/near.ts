/** The name that was probably meant, as the end of a sentence: ` Did you mean "tasks"?`; else empty. */
export function didYouMean(word: string, names: readonly string[]): string {
  const [best] = nearNames(word, names);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}

/** The names similar to `word`, most similar first. */
export function nearNames(word: string, names: readonly string[]): string[] {
  const wanted = word.slice(0, 100).toLowerCase();
  return names
    .map((name) => ({ name, distance: likeness(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

/**
 * Whether a text was probably meant as a label: its beginning, or one or two letters wrong. Different digits are not a
 * typing mistake ("Python 3.12" does not mean "Python 3.11").
 */
export function isTypoOf(text: string, label: string): boolean {
  const [typed, wanted] = [text.toLowerCase(), label.toLowerCase()];
  const digits = (each: string) => each.replace(/\D/g, '');
  if (typed.length >= 3 && wanted.startsWith(typed)) return true;
  if (typed.length > 200 || wanted.length > 200 || digits(typed) !== digits(wanted)) return false;
  return editDistance(typed, wanted) <= Math.min(2, Math.floor(wanted.length / 4));
}

function likeness(word: string, name: string): number {
  if (word.length >= 3 && (name.startsWith(word) || name.includes(`-${word}`))) return 0;
  return editDistance(word, name);
}

/** How many letters have to be changed, added or removed (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
