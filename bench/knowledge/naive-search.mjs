/** A naive search: the passages that contain the most of the phrase's words, exactly as written. */
export function naiveSearch(passages, phrase) {
  const words = [...new Set(phrase.toLowerCase().match(/[\p{L}\p{N}]+/gu))];
  return passages
    .map((passage) => {
      const text = `${passage.title}\n${passage.heading}\n${passage.text}`.toLowerCase();
      return { ...passage, score: words.filter((word) => text.includes(word)).length };
    })
    .sort((a, b) => b.score - a.score);
}
