import type { Evidence } from '../evidence.ts';
import type { IssueText, ReadText } from '../issue-text.ts';

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
