/** The words of a text as the search compares them: folded and stemmed, identifiers and compounds in both forms. */
export function termsOf(text: string): string[] {
  const folded = fold(text);
  return allWords(folded).map(stem);
}

/** The words of a text in lower case, including those that a tokenizer misses. */
const allWords = (text: string): string[] =>
  [...writtenWords(text), ...hiddenWords(text)].map((word) => word.toLowerCase());

/** What a tokenizer misses: `idleTimeout` contains idle and timeout, and `fail-over` is also written failover. */
export function hiddenWords(text: string): string[] {
  const parts = writtenWords(text)
    .filter((word) => /\p{Ll}\p{Lu}/u.test(word))
    .flatMap((word) => word.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u));
  const compounds = text.matchAll(/(?<![\p{L}\p{N}-])(\p{L}{2,20})-(\p{L}{2,20})(?![\p{L}\p{N}-])/gu);
  return [...parts, ...Array.from(compounds, ([, before, after]) => `${before}${after}`)];
}

const writtenWords = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Without accents, as in the index. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

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

/** Words that say nothing about what the person searches for. */
const EMPTY = new Set(
  `a about after again all also am an and any are as at be because been before being but by can cannot could did do does
doing done each else even ever every everything for from get gets getting give given go goes got had happen happens has have having he her here him
his how however i if in into is it its itself just keep know let like make makes many may me might more most much must my
need needs no not now of off on one only onto or other our out over own please same shall she should show so some somebody someone something such sure
take tell than that the their them then there these they thing things this those though through to too under until up upon
us use used using very via want wants was way we were what when where whether which while who whom whose why will with
within without would yes yet you your yours
das dem den der des die ein eine einem einen einer eines es für im ist kann man mit nicht oder und von was welche wenn wie
wird wo zu zum zur`.split(/\s+/),
);
const MAX_WORDS = 32;

/** Whether a word says something about what the person searches for. */
export const isTelling = (word: string): boolean =>
  !EMPTY.has(word) && (word.length > 1 || /\p{N}|\p{Lo}/u.test(word));

/** The words of a phrase that say something; all of them if none does. */
export function wordsOf(phrase: string): string[] {
  const words = allWords(phrase.slice(0, 4000));
  const telling = words.filter(isTelling);
  return [...new Set(telling.length > 0 ? telling : words)].slice(0, MAX_WORDS);
}

/** Matches any of the words, or longer words that begin with one. Quoted, so that nothing in them is an operator. */
export function matchExpression(words: readonly string[]): string {
  return words.map((word) => `"${word}"${word.length >= 4 ? '*' : ''}`).join(' OR ');
}
