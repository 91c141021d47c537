import type { Evidence } from '../gap.ts';
import type { IssueText } from '../issue-text.ts';
import { amount, contentAmount, contentWords, countAnchors } from '../text/content.ts';
import { limit, measure, unbounded, universal, wish } from '../words/bounds.ts';
import { everywhere } from '../words/phrases.ts';

/** Unbounded wording: "improve", "everything", "etc.". A number or a limit in the same sentence bounds it. */
export function findVagueness(text: IssueText): Evidence[] {
  const found: Evidence[] = [];
  const { titleText, body } = text;
  if (!bounded(titleText)) {
    // "Refactor" alone is unbounded; with half a dozen significant words after it, it is not.
    const weight = contentAmount(titleText) + countAnchors(titleText) > 5 ? 0.6 : 1;
    const vague = unbounded.exec(titleText);
    // "Add a refactoring guide" asks for a guide.
    const inside = vague !== null && vague.index > 2 && (wish.exec(titleText)?.index ?? 99) < 2;
    if (vague) found.push(text.inTitle('unbounded', inside ? 0.4 : weight));
    if (universal.test(titleText)) found.push(text.inTitle('universal', weight));
  }
  for (const { text: words, at, piece } of body.sentences) {
    if (silent.has(piece.topic ?? '') || bounded(words)) continue;
    const certain = countAnchors(words) > 0;
    const vague = observed.test(words) ? null : unbounded.exec(words);
    const every = universal.exec(words);
    // "Add an index to improve …" asks for an index.
    const purpose =
      vague !== null &&
      /\s(?:to|for)\s$/.test(words.slice(0, vague.index)) &&
      wish.test(words.slice(0, vague.index));
    if (vague)
      found.push(
        body.evidence(
          'unbounded',
          at + vague.index,
          words.length - vague.index,
          certain || purpose ? 0.3 : 0.7,
        ),
      );
    if (every) found.push(body.evidence('universal', at + every.index, every[0].length, certain ? 0.3 : 0.7));
  }
  return found;
}

/** "Memory seems to increase" reports something; nobody asks for it. */
const observed =
  /(?<!\p{L})(?:seems?|appears?|tends?|starts?|continues?|keeps?)\s(?:to\s)?(?:increas|decreas|reduc|rais|expand|extend)/iu;

/** What the text says beyond its title. */
export function findDescription({ titleText, body }: IssueText): Evidence[] {
  const known = contentWords(titleText);
  const said = new Set<string>();
  for (const { text, piece } of body.sentences) {
    if (silent.has(piece.topic ?? '') || isVague(text)) continue;
    for (const word of contentWords(text)) if (!known.has(word)) said.add(word);
  }
  const [first] = body.sentences;
  if (!first || said.size === 0) return [];
  return [
    body.evidence(
      'description',
      first.at,
      first.text.length,
      Math.min(1, Math.max(0, Math.round(((amount(said) - 2) / ENOUGH) * 100) / 100)),
    ),
  ];
}

/** A sentence that only asks for more of a quality does not say what has to be true. */
export function isVague(words: string): boolean {
  if (!unbounded.test(words) || bounded(words) || countAnchors(words) > 0) return false;
  return contentAmount(words) <= MUCH || (words.match(everyUnbounded)?.length ?? 0) >= 2;
}

/** How much a text says beyond the title. */
export type Beyond = (words: string) => number;

export function beyondTitle({ titleText }: IssueText): Beyond {
  const known = contentWords(titleText);
  return (words) => amount(new Set([...contentWords(words)].filter((word) => !known.has(word))));
}

/** A sentence with more significant words than this says more than "improve it". */
const MUCH = 7;
const everyUnbounded = everywhere(unbounded);

/** Beyond the first two, this many different significant words are a full description. */
const ENOUGH = 8;
const silent = new Set(['environment', 'logs', 'alternatives']);
const bounded = (words: string) => measure.test(words) || limit.test(words);
