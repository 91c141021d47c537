/** Endings of the Snowball stemmer for English and what replaces them, the longest first. */
const DERIVED =
  pairs(`ization ize, ational ate, fulness ful, ousness ous, iveness ive, tional tion, biliti ble, lessli less,
entli ent, ation ate, alism al, aliti al, ousli ous, iviti ive, fulli ful, enci ence, anci ance, abli able, izer ize, ator ate,
alli al, bli ble`);
const SHORTER = pairs('ational ate, tional tion, alize al, icate ic, iciti ic, ical ic, ful, ness');
const DROPPED = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic)$/;

/** The stem of an English word in lower case, so that "deleting" and "deleted" are one. Other words stay as they are. */
export function stem(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return word;
  const marked = word.replace(/^y|(?<=[aeiouy])y/g, 'Y');
  const first = /^(?:gener|commun|arsen)/.exec(marked)?.[0].length ?? regionAfter(marked, 0);
  const second = regionAfter(marked, first);
  const steps = [
    plural,
    (text: string) => participle(text, first),
    (text: string) => text.replace(/(?<=.[^aeiouy])[yY]$/, 'i'),
    (text: string) => replaceEnding(text, DERIVED, first) ?? adverb(text, first),
    (text: string) => replaceEnding(text, SHORTER, first) ?? dropEnding(text, /ative$/, second),
    (text: string) => dropEnding(text, DROPPED.test(text) ? DROPPED : /(?<=[st])ion$/, second),
    (text: string) => finalLetter(text, first, second),
  ];
  return steps.reduce((text, step) => step(text), marked).toLowerCase();
}

/** The start of the region after the first consonant that follows a vowel. */
function regionAfter(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return found ? from + found.index + 2 : word.length;
}

function plural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[sd]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  return /[us]s$/.test(word) || !/[aeiouy].+s$/.test(word) ? word : word.slice(0, -1);
}

function participle(word: string, first: number): string {
  if (/eed(?:ly)?$/.test(word)) return word.replace(/eed(?:ly)?$/, (end, at) => (at >= first ? 'ee' : end));
  const left = word.replace(/(?<=[aeiouy].*)(?:ingly|edly|ing|ed)$/, '');
  if (left === word) return word;
  if (/(?:at|bl|iz)$/.test(left)) return `${left}e`;
  if (/([bdfgmnprt])\1$/.test(left)) return left.slice(0, -1);
  return endsShort(left) && left.length <= first ? `${left}e` : left;
}

function adverb(word: string, first: number): string {
  if (/logi$/.test(word)) return dropEnding(word, /(?<=og)i$/, first);
  return dropEnding(word, /(?<=[cdeghkmnrt])li$/, first);
}

function finalLetter(word: string, first: number, second: number): string {
  const left = word.slice(0, -1);
  if (word.endsWith('e'))
    return left.length >= second || (left.length >= first && !endsShort(left)) ? left : word;
  return word.endsWith('ll') && left.length >= second ? left : word;
}

const endsShort = (word: string) =>
  /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word) || /^[aeiouy][^aeiouy]$/.test(word);

/** Undefined if the word has none of the endings. An ending that begins before the region stays. */
function replaceEnding(word: string, endings: [string, string][], region: number): string | undefined {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (!found) return undefined;
  const at = word.length - found[0].length;
  return at >= region ? word.slice(0, at) + found[1] : word;
}

function dropEnding(word: string, ending: RegExp, region: number): string {
  return word.replace(ending, (end, at) => (at >= region ? '' : end));
}

function pairs(text: string): [string, string][] {
  return text.split(/,\s+/).map((pair) => {
    const [from = '', to = ''] = pair.split(' ');
    return [from, to];
  });
}
