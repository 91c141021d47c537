import type { Evidence } from '../evidence.ts';
import type { ReadText } from '../issue-text.ts';
import { contentAmount } from '../text/content.ts';
import type { Sentence } from '../text/sentences.ts';
import { failure } from '../words/fault.ts';
import { elsewhere, openQuestion, otherWork, politeQuestion } from '../words/open.ts';
import type { Beyond } from './vagueness.ts';

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
