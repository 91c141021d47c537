import { allWords } from './terms.ts';

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
