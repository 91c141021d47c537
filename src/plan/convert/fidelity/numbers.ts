import type { Fact, FactRule } from './fact.ts';
import { numberOf, quantitiesIn, wordFor } from './quantities.ts';
import type { SourceLine } from './source-lines.ts';

const unit =
  /^\s?(?:%|percent|ms|µs|s|secs?|seconds?|min|mins|minutes?|h|hours?|days?|weeks?|months?|years?|[kmgt]i?b|bytes?|px|rps|qps|req\/s|times|retries|attempts|tries|users?|requests?|rows?|items?|records?|connections?|characters?|chars?|tokens?)(?![\p{L}\p{N}])/iu;
const bound =
  /(?:[<>≤≥=~]|\b(?:port|limit(?:ed)?(?: (?:of|to|is))?|max(?:imum)?(?: of)?|min(?:imum)?(?: of)?|at (?:least|most)|(?:more|less|fewer|higher|lower) than|under|over|above|below|within|up to|every|exactly|timeout(?: of| is)?|threshold(?: of| is)?))[:\s]*[$€£]?$/i;
/** Numbers that only count or name something: steps, versions, dates, issues, criteria. */
const names =
  /\b(?:phase|step|task|stage|part|section|chapter|week|day|sprint|milestone|version|v|q|figure|table|appendix|issue|pr|option|level|item|node|python|java|php|ruby|es|http|utf|sha|ipv|oauth|h|rfc)[\s#.-]*$/i;
/** Quantities: limits, sizes, times, counts. */
export const numbers: FactRule = {
  kind: 'number',
  *find(lines) {
    for (const line of lines) if (line.kind === 'prose') yield* inLine(line);
  },
  isKept(text, { numbers: there, words, quantities }) {
    const value = numberOf(/\d[\d,_]*(?:\.\d+)?(?:[kKM]\b)?/.exec(text)?.[0] ?? '');
    const word = wordFor(value);
    if (there.has(value) || (word !== undefined && words.has(word))) return true;
    return quantitiesIn(text).some((quantity) => quantities.has(quantity));
  },
};

function* inLine({ text: raw, line }: SourceLine): Generator<Fact> {
  const text = raw
    .replace(/`[^`]*`/g, (code) => ' '.repeat(code.length))
    .replace(/^\s*(?:[-*+]\s+)?(?:\[[ x]\]\s+)?\**\d+(?:\.\d+)*[.):]?\**(?=\s)/i, (all) =>
      ' '.repeat(all.length),
    );
  for (const match of text.matchAll(/(?<![\p{L}\p{N}_.#/:-])[$€£]?\d[\d,_]*(?:\.\d+)?(?:[kKM]\b)?/gu)) {
    const digits = match[0].replace(/[,_]+$/, '').replace(/^[$€£]/, '');
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + match[0].replace(/[,_]+$/, '').length);
    if (/^[\p{L}_]*[.\-/:]\d|^[\p{L}_]+\d|^\s?(?:st|nd|rd|th)\b/u.test(after) || names.test(before)) continue;
    const value = numberOf(digits);
    const said = unit.exec(after)?.[0] ?? '';
    const isYear = value >= 1990 && value < 2100 && said === '';
    if (isYear || (said === '' && !bound.test(before) && !/^[$€£]/.test(match[0]) && value < 10)) continue;
    yield { text: `${match[0].replace(/[,_]+$/, '')}${said}`, line };
  }
}
