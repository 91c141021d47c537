/** Chinese, Japanese and Korean put no spaces between words. */
export const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/**
 * One pattern for many phrases, parted by `;` or line ends: whole words where words are parted by spaces. Each phrase is
 * a regular expression in which a space is any white space. Quantifiers must be bounded, so that no text can make it slow.
 */
export function phrases(texts: TemplateStringsArray, ...parts: string[]): RegExp {
  const all = String.raw(texts, ...parts)
    .split(/[;\n]/)
    .map((phrase) =>
      phrase.trim().replaceAll('[- ]', '[-\\s]').replaceAll(' ?', '\\s{0,3}').replaceAll(' ', '\\s{1,3}'),
    )
    .filter((phrase) => phrase !== '');
  const alternatives = [
    wholeWords(all.filter((phrase) => !unspaced.test(phrase))),
    ...all.filter((phrase) => unspaced.test(phrase)),
  ].filter((part) => part !== '');
  const pattern = new RegExp(alternatives.join('|'), 'iu');
  uncompiled.push(pattern);
  return pattern;
}

const uncompiled: RegExp[] = [];
/** From this length on V8 makes machine code of a pattern at its first use. */
const LONG = ' '.repeat(1000);

/**
 * To be called before the patterns are used. On a short text V8 would interpret each of them first and compile it at its
 * second use, which for patterns of this size takes three times as long as everything else in a first analysis.
 */
export function compilePhrases(): void {
  for (const pattern of uncompiled.splice(0)) pattern.test(LONG);
}

function wholeWords(list: string[]): string {
  return list.length === 0 ? '' : `(?<![\\p{L}\\p{N}_])(?:${list.join('|')})(?![\\p{L}\\p{N}_])`;
}
