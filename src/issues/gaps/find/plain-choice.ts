import { allWords } from '../text/content.ts';
import type { Sentence } from '../text/sentences.ts';
import { choiceNotMade } from '../words/open.ts';

/** "in a file or in the browser's storage": both sides of the word, up to the next mark. */
const sides =
  /([^,.;:?!()]{2,120}?),?\s(?:or|oder|ou|или)\s(?:else\s|rather\s|in\s|im\s|by\s|as\s|with\s)?([^,.;:?!()]{2,80})/iu;
const opening = /^.*(?<!\p{L})(?:either|whether|entweder|soit|либо|in|im|by|as|with)\s/iu;

/** "We have not decided yet." after the sentence that names the choice. */
const REMARK = 8;

/**
 * The alternatives of a choice in plain words, without a product's name. They count only where the text says that nobody
 * has chosen, in the sentence or in a short one behind it: "or" alone stands in every second sentence.
 */
export function plainAlternatives(sentence: Sentence, next: Sentence | undefined): string[] | undefined {
  const remark = next?.piece === sentence.piece && allWords(next.text) <= REMARK ? next.text : '';
  if (!choiceNotMade.test(sentence.text) && !choiceNotMade.test(remark)) return undefined;
  const [, before, after] = sides.exec(sentence.text) ?? [];
  if (before === undefined || after === undefined) return undefined;
  return [before.replace(opening, ''), after].map((side) => side.trim());
}
