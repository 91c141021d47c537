/** A naive search: the passages that contain the most of the phrase's words, exactly as written. */
export function naiveSearch<Passage extends { title: string; heading: string; text: string }>(
  passages: readonly Passage[],
  phrase: string,
): Passage[] {
  const words = [...new Set<string>(phrase.toLowerCase().match(/[\p{L}\p{N}]+/gu))];
  return passages
    .map((passage) => {
      const text = `${passage.title}\n${passage.heading}\n${passage.text}`.toLowerCase();
      return { ...passage, score: words.filter((word) => text.includes(word)).length };
    })
    .sort((a, b) => b.score - a.score);
}
