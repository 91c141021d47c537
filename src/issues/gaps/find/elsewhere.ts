import { GapType } from '../../../schema/qa.ts';
import { type Evidence, gapLabels } from '../gap.ts';
import { type IssueText, type ReadText, writtenPieces } from '../issue-text.ts';
import { contentAmount } from '../text/content.ts';
import type { Sentence } from '../text/sentences.ts';
import { failure } from '../words/fault.ts';
import { elsewhere, openQuestion, otherWork, politeQuestion } from '../words/open.ts';
import type { Beyond } from './vagueness.ts';

const heading = /clarifications?\b.*\bq\s?&\s?a/i;

/** Answers that were written back into the issue (`## Clarifications (via … Q&A)`), which close their gaps. */
export function findClarified(text: ReadText): Map<GapType, Evidence> {
  const { sections } = text.document;
  const start = sections.findIndex((section) => heading.test(section.heading));
  const found = new Map<GapType, Evidence>();
  if (start < 0) return found;
  const level = sections[start]?.level ?? 1;
  const answers = writtenPieces(text);
  for (const section of sections.slice(start + 1)) {
    if (section.level <= level) break;
    const type = GapType.options.find((each) =>
      section.heading.trim().startsWith(gapLabels[each].split(' (')[0] ?? ''),
    );
    if (!type || section.empty || found.has(type)) continue;
    const answer = answers.find((piece) => piece.at >= section.at);
    if (answer) found.set(type, text.evidence('clarified', answer.at, answer.text.length, 1));
  }
  return found;
}

const link =
  /(?<![\w&/#])(?:[\w.-]{1,80}\/[\w.-]{1,80}|gh-?|github)?#\d{1,7}(?![\w-])|(?<![\w-])gh-\d{1,7}(?!\w)/gi;
const address = /\/(?:issues|pull|pulls|merge_requests)\/\d{1,7}(?!\w)/;
const colour = /(?:colou?r|background|hex|farbe|couleur|cor|цвет|颜色|色)\W{0,12}$/i;

/** References to issues and pull requests: `#12`, `owner/name#12`, `GH-12`, an address. Not a colour. */
export function findLinked(text: ReadText): Evidence[] {
  const inText = text.sentences.flatMap(({ text: words, at }) =>
    numbers(words).map(({ index, length }) => text.evidence('linked_issue', at + index, length, 1)),
  );
  const inLinks = text.document.links
    .filter(({ url }) => address.test(url))
    .map(({ url, at }) => text.evidence('linked_issue', at, url.length, 1));
  return [...inText, ...inLinks].slice(0, 20);
}

export function findLinkedInTitle({ title, inTitle }: IssueText): Evidence[] {
  return numbers(title).map(({ index, length }) =>
    inTitle('linked_issue', 1, title.slice(index, index + length)),
  );
}

function numbers(text: string): { index: number; length: number }[] {
  return [...text.matchAll(link)]
    .filter((match) => !colour.test(text.slice(Math.max(0, match.index - 30), match.index)))
    .map((match) => ({ index: match.index, length: match[0].length }));
}

/** What the text itself leaves open, or refers to without naming it. */
export function findDoubt(text: ReadText, beyondTitle: Beyond): Evidence[] {
  return text.sentences.flatMap((sentence) => {
    const { text: words, at, piece } = sentence;
    if (piece.topic === 'environment' || piece.topic === 'logs' || piece.topic === 'reproduction') return [];
    const found: Evidence[] = [];
    const add = (kind: Evidence['kind'], match: RegExpExecArray | null, weight: number) => {
      // To the end of the sentence, because a person needs to know what comes after "once the".
      if (match) found.push(text.evidence(kind, at + match.index, words.length - match.index, weight));
    };
    if (!politeQuestion.test(words)) add('open_question', asked(sentence), 0.8);
    // "After the migration the login fails" says when, not what comes first.
    const hint = failure.test(words) ? null : otherWork.exec(words);
    // "Show which tasks are blocked by others" is about blocking.
    if (hint && beyondTitle(hint[0]) > 0) add('other_work', hint, 0.8);
    add('elsewhere', elsewhere.exec(words), 0.8);
    return found;
  });
}

/** "Should old links redirect?", "Sollen alte Links …?" */
const whether =
  /^(?:should|shall|soll(?:en|te|ten)?|¿?deber[ií]a\p{L}*|dever[ií]a\p{L}*|faut-il|doit-on)\s(?!i\b)[^?？]{3,300}[?？]$/iu;

/** Under "Open questions" each entry is one. */
function asked({ text, piece }: Sentence): RegExpExecArray | null {
  const match = openQuestion.exec(text) ?? whether.exec(text);
  if (match) return match;
  return piece.topic === 'questions' && contentAmount(text) >= 2 ? /^.+$/su.exec(text) : null;
}
