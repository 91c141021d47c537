/**
 * One pattern for many phrases, separated by `;` or line breaks, as whole words in any case. A space in a phrase is any
 * white space. Quantifiers must be bounded, so that no text is slow to match.
 */
export function words(texts: TemplateStringsArray, ...parts: string[]): RegExp {
  const all = String.raw(texts, ...parts)
    .split(/[;\n]/)
    .map((phrase) => phrase.trim().replaceAll(' ', '\\s{1,3}'))
    .filter((phrase) => phrase !== '');
  return new RegExp(`(?<![\\w'])(?:${all.join('|')})(?![\\w])`, 'i');
}
