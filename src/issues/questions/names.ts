import { oneLine } from '../../text/lines.ts';
import { contentWords } from '../gaps/find.ts';
import type { Issue } from '../issue.ts';

const TITLE = 80;
const NAMED = 4;
const QUOTED = 140;

/** `#12 "Crash on start"`, cut. */
export const about = ({ number, title }: Issue) => `#${number} ${inQuotes(title, TITLE)}`;

/** `#3 "A", #5 "B" and 2 more`. */
export function aboutAll(issues: readonly Issue[]): string {
  const named = issues.slice(0, NAMED).map(about);
  const rest = issues.length - named.length;
  if (rest > 0) return `${named.join(', ')} and ${rest} more`;
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${named.at(-1)}` : (named[0] ?? '');
}

export function inQuotes(text: string, most = QUOTED): string {
  const line = oneLine(text).replaceAll('"', "'").replace(/\.$/, '');
  return `"${line.length > most ? `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : line}"`;
}

/** The issues whose titles share at least two significant words with a text, in their order. */
export type Related = (text: string) => Issue[];

/** Looks titles up by word, so that a question about each of many issues does not read all titles again. */
export function relatedAmong(issues: readonly Issue[]): Related {
  const byWord = new Map<string, number[]>();
  issues.forEach(({ title }, index) => {
    for (const word of contentWords(title)) byWord.set(word, [...(byWord.get(word) ?? []), index]);
  });
  return (text) => {
    const shared = new Map<number, number>();
    for (const word of contentWords(text))
      for (const index of byWord.get(word) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
    const indexes = [...shared].filter(([, words]) => words >= 2).map(([index]) => index);
    return indexes.sort((a, b) => a - b).flatMap((index) => issues[index] ?? []);
  };
}
